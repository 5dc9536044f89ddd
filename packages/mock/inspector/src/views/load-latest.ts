/** Enough to look through, and little to load and to render while more arrive. */
const SHOWN = 100;

interface Page<T> {
  readonly data: readonly T[];
  readonly meta: { readonly total: number };
}

/** The latest entries of a list that the server returns oldest first; here newest first. */
export const loadLatest = async <T>(list: (query: { limit: number; offset: number }) => Promise<Page<T>>) => {
  const { meta } = await list({ limit: 1, offset: 0 });
  const { data, meta: now } = await list({ limit: SHOWN, offset: Math.max(0, meta.total - SHOWN) });
  // Entries that arrive between the two calls are beyond this page; the event of their arrival loads it again.
  return { data: data.toReversed(), total: now.total };
};
