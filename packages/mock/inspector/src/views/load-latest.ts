/** Few enough to load and render quickly while more entries arrive. */
const MAX_ENTRIES = 100;

interface Page<T> {
  readonly data: readonly T[];
  readonly meta: { readonly total: number };
}

/** Loads the latest entries of a list that the server returns oldest first, and returns them newest first. */
export const loadLatest = async <T>(list: (query: { limit: number; offset: number }) => Promise<Page<T>>) => {
  const { meta } = await list({ limit: 1, offset: 0 });
  const { data, meta: now } = await list({
    limit: MAX_ENTRIES,
    offset: Math.max(0, meta.total - MAX_ENTRIES),
  });
  // Entries that arrive between the two calls are not on this page, but their event loads it again.
  return { data: data.toReversed(), total: now.total };
};
