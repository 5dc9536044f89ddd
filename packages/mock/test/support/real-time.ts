import type { Mock } from '../../src/index.ts';

/**
 * Lets real time pass. Only for what runs in real time: code of a test, which the virtual clock waits for, and the 50 ms
 * of quiet before it moves past a timeout. That it does not move is seen only by waiting for longer.
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
