/** One thing that is wrong with a value, and where it is. */
export interface Issue {
  /** Where it is: `query.limit`, `body.phone`, `data[3].createdAt`; empty for the value itself. */
  readonly path: string;
  /** What is wrong with it: `must be at most 100, got 500`. */
  readonly message: string;
}
