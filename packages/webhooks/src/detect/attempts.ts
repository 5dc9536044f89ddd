/**
 * The most digests that one detection computes. A delivery with ten headers that hold digits needs about 200. A stranger
 * could send thousands of such headers with a large body, and would keep `listen` busy for seconds.
 */
const MAX_ATTEMPTS = 512;

/** Counts the digests of one detection. */
export interface Attempts {
  /** Counts one; false if the limit is reached. */
  next(): boolean;
  /** What was left out, for the list of attempts; empty if nothing was. */
  readonly skipped: readonly string[];
}

/** Starts to count. */
export const createAttempts = (): Attempts => {
  let count = 0;
  return {
    next: () => {
      count += 1;
      return count <= MAX_ATTEMPTS;
    },
    get skipped() {
      return count > MAX_ATTEMPTS
        ? [`the first ${MAX_ATTEMPTS} combinations only: too many headers could belong to a signature`]
        : [];
    },
  };
};
