import type { Timeline } from './timeline.ts';

/** Resolves after `ms` milliseconds of the timeline; rejects with the signal's reason when it is aborted. */
export const sleepOn = (
  after: (ms: number, run: () => void) => () => void,
  ms: number,
  signal: AbortSignal | undefined,
): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const onAbort = () => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = after(ms, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });

/** Plans timers of the code under test. */
export const timersOf =
  (timeline: Timeline) =>
  (ms: number, run: () => void): (() => void) =>
    ms === Number.POSITIVE_INFINITY ? () => {} : timeline.after(ms, 'timer', run);
