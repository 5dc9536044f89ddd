import type { Conversation } from '../contract/types.ts';

/** The count of one walk. */
interface Count {
  /** Rows that the list had when the walk began, and that have not been seen since. */
  missing: number;
  /** Rows created before this time were in the list when the walk began. */
  readonly began: number;
}

/**
 * Finds out whether walks through the list of conversations have seen all that it had when they began.
 *
 * A walk sees every row that stays, as long as the rows keep their order (`lists/next-page.ts`). In a list by `lastMessageAt`
 * they don't: a conversation that gets a message moves, perhaps from where the walk has not been yet to where it has been.
 * So the rows are counted. The first page of a walk says how many the list has at that moment. Once that many different
 * rows have been seen that existed then, by this walk or by later ones, none is missing, whatever was moved, inserted or
 * deleted meanwhile.
 *
 * The count is never reached when a row is deleted before it is seen. The next walk therefore begins a count of its own.
 */
export const createCensus = () => {
  /** The number of the walk that saw a row last, from 1. */
  const lastWalks = new Map<string, number>();
  const counts: Count[] = [];

  return {
    /**
     * Begins another walk.
     *
     * @param total Rows that the list has when its first page is read; undefined if the service does not say.
     * @param began Rows created before this time were in the list then.
     */
    beginWalk(total = Number.NaN, began: number): void {
      counts.push({ missing: total, began });
    },

    /** Counts the rows of a page of the walk, and returns those that no walk has seen before. */
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
     * Whether no row is missing.
     *
     * @param isOver False before the walk has come to the end of the list: a service may count fewer rows than there are.
     */
    isComplete: (isOver: boolean): boolean =>
      (isOver ? counts : counts.slice(0, -1)).some(({ missing }) => missing === 0),
  };
};
