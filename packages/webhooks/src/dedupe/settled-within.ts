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

/** What a claim needs if it takes too long. */
interface LateClaim {
  /** Releases the claim if it succeeds after all: by then, nothing runs under it. */
  readonly release: () => unknown;
  /** Returns the error to throw. */
  readonly error: () => Error;
}

/** Waits for a claim, at most for the given milliseconds. */
export const claimWithin = async <State>(
  milliseconds: number,
  claiming: Promise<State>,
  late: LateClaim,
): Promise<State> => {
  const ended = claiming.catch(() => {});
  if (await settledWithin(milliseconds, ended)) {
    return claiming;
  }
  ended.then((state) => (state === 'claimed' ? late.release() : undefined)).catch(() => {});
  throw late.error();
};
