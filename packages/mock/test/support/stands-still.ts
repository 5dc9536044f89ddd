import type { Mock } from '../../src/index.ts';

/** Milliseconds that the clock of a mock moves by while nobody but a timeout waits: none, unless something hangs. */
export const movedAlone = async ({ clock }: Mock): Promise<number> => {
  const began = clock.now();
  const controller = new AbortController();
  clock.sleep(1_000, controller.signal, 'timeout').catch(() => {});
  // Longer than the quiet after which a hang lets time pass.
  await new Promise((resolve) => setTimeout(resolve, 150));
  controller.abort();
  return clock.now() - began;
};
