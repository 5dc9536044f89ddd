import type { Mock } from '../../src/index.ts';

/**
 * Lets real time pass. Only for what the virtual clock does by real time: it moves past a timeout after 50 ms of quiet,
 * or after 1 s while code of the test is at work. That it does not move is seen only by waiting for longer.
 */
export const realTime = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Milliseconds by which the clock of a mock moves while only a timeout waits: 0, unless a request hangs. */
export const movedAlone = async ({ clock }: Mock): Promise<number> => {
  const began = clock.now();
  const controller = new AbortController();
  clock.sleep(1_000, controller.signal, 'timeout').catch(() => {});
  await realTime(150);
  controller.abort();
  return clock.now() - began;
};
