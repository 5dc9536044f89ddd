import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds between two looks at the clock. */
const TICK = 5;

/**
 * Lets work proceed at a steady pace of requests. After a delay, it catches up as fast as the machine allows.
 *
 * @param sent Returns the number of requests that were sent.
 */
export const createPacer = (perSecond: number, sent: () => number) => {
  const start = performance.now();
  return {
    /** Waits until another request is due. */
    async due(): Promise<void> {
      while (sent() > ((performance.now() - start) / 1_000) * perSecond) {
        await sleep(TICK);
      }
    },
  };
};
