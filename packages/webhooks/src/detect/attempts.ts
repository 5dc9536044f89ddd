/**
 * The most digests that one detection computes. A delivery with ten headers that hold digits needs about 200. A stranger
 * could send many headers with a large body, and each digest blocks the process.
 */
const MAX_ATTEMPTS = 512;

/** The most bytes that one detection hashes: about 60 ms of work, and 32 digests of the largest body. */
const MAX_BYTES = 33_554_432;

/** Counts the digests of one detection. */
export interface Attempts {
  /** Counts one digest of some bytes; false if a limit is reached. */
  next(bytes: number): boolean;
  /** What was left out, for the list of attempts; empty if nothing was. */
  readonly skipped: readonly string[];
}

/** Starts to count. */
export const createAttempts = (): Attempts => {
  let count = 0;
  let hashed = 0;
  let over = false;
  return {
    next(bytes) {
      over ||= count + 1 > MAX_ATTEMPTS || hashed + bytes > MAX_BYTES;
      if (!over) {
        count += 1;
        hashed += bytes;
      }
      return !over;
    },
    get skipped() {
      return over
        ? [
            `the first ${count} combinations only: too many headers could belong to a signature of a body of this size`,
          ]
        : [];
    },
  };
};
