/**
 * Waits until a promise has settled, at most for the given milliseconds. Resolves to whether it did. The promise must never
 * reject.
 */
export const settledWithin = (milliseconds: number, work: Promise<unknown>): Promise<boolean> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds, false);
    void work.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
