import type { Conversation } from '../contract/types.ts';

/** Counts the rows of one walk. */
interface Count {
  /** Number of rows that were in the list when the walk began and have not been seen since. */
  missing: number;
  /** Rows created before this time were in the list when the walk began. */
  readonly began: number;
}

/**
 * Finds out whether walks through the list of conversations have seen all rows that it had when they began.
 *
 * A walk sees every row that stays if the rows keep their order (`lists/walker.ts`). In a list by `lastMessageAt` they
 * don't: a conversation with a new message may move from a place that the walk has not reached to one that it has
 * passed. So the rows are counted. The first page of a walk reports how many rows the list has at that moment. Once the
 * walks have seen that many different rows that existed then, no row is missing, whatever was moved, inserted or
 * deleted meanwhile.
 *
 * If a row is deleted before it is seen, the count is never reached. Therefore each walk begins a new count.
 */
export const createCensus = () => {
  /** By id, the number of the last walk that saw the row, from 1. */
  const lastWalks = new Map<string, number>();
  const counts: Count[] = [];

  return {
    /**
     * Begins the next walk.
     *
     * @param total Number of rows that the list had when its first page was read; undefined if the service does not
     * report it.
     * @param began Rows created before this time were in the list at that moment.
     */
    beginWalk(total = Number.NaN, began: number): void {
      counts.push({ missing: total, began });
    },

    /** Counts the rows of a page, and returns those that no walk has seen before. */
    see(rows: readonly Conversation[], isFirstPage: boolean): Conversation[] {
      const current = counts.at(-1);
      return rows.filter(({ id, createdAt }) => {
        const lastWalk = lastWalks.get(id) ?? 0;
        lastWalks.set(id, counts.length);
        for (const count of counts.slice(lastWalk)) {
          const existed =
            lastWalk > 0 || (isFirstPage && count === current) || Date.parse(createdAt) < count.began;
          count.missing -= existed ? 1 : 0;
        }
        return lastWalk === 0;
      });
    },

    /**
     * Returns true if no row is missing.
     *
     * @param isOver Whether the current walk has reached the end of the list. Before that, its own count does not
     * decide, because a service may report fewer rows than it has.
     */
    isComplete: (isOver: boolean): boolean =>
      (isOver ? counts : counts.slice(0, -1)).some(({ missing }) => missing === 0),
  };
};
