/** Work of one kind that has begun and has not ended. */
export interface Work {
  readonly count: number;
  /** What it is called, alone and with others. */
  readonly one: string;
  readonly more: string;
  /** The names by which the trace knows it. */
  readonly names?: () => readonly string[];
}

/** Says what is open, such as `1 call (client2.26), 2 jobs`. */
export const openText = (work: readonly Work[]): string =>
  work
    .filter(({ count }) => count > 0)
    .map(({ count, one, more, names }) => {
      const named = names === undefined ? '' : ` (${names().join(', ')})`;
      return `${count} ${count === 1 ? one : more}${named}`;
    })
    .join(', ');
