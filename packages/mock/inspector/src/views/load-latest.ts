import { call } from '../api/call.ts';

/** Enough to look through, and little to load and to render while more arrive. */
const SHOWN = 100;

/** The latest entries of a list that the server returns oldest first; here newest first. */
export const loadLatest = async <T>(
  id: 'requests.list' | 'deliveries.list',
): Promise<{ data: readonly T[]; total: number }> => {
  const { meta } = await call(id, { query: { limit: 1 } });
  const offset = Math.max(0, meta.total - SHOWN);
  const { data, meta: now } = await call<T[]>(id, { query: { limit: SHOWN, offset } });
  // Entries that arrive between the two calls are beyond this page; the event of their arrival loads it again.
  return { data: data.toReversed(), total: now.total };
};
