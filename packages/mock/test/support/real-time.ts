import type { Mock } from '../../src/index.ts';

/**
 * Lets real time pass, which only two things need: test code for which the virtual clock waits, and the 50 ms of quiet
 * before the clock moves past a timeout. A test that the clock does not move has to wait longer than that.
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
