import type { Caller } from '../call/call.ts';
import type { Conversation, ConversationListQuery } from '../contract/types.ts';
import { createListById } from '../lists/paginated.ts';
import type { CallOptions } from '../options/client-options.ts';
import type { ClientSettings } from '../options/resolve-options.ts';
import { bulkInput } from './bulk.ts';
import { createCensus } from './census.ts';

const MINUTE = 60_000;

/**
 * How far the next pass goes back, in milliseconds: the clocks of a service differ, and its lists may lag behind its
 * messages.
 */
const MARGIN = 2 * MINUTE;
/** As {@link MARGIN}, but for the local clock. It is used where the `Date` of a response is hidden, as in a browser. */
const LOCAL_MARGIN = 60 * MINUTE;
/** Milliseconds by which the clock behind `Date` may differ from the clock behind `createdAt`. */
const CLOCK_SKEW = 5_000;
/** Maximum number of times to read the list. */
const MAX_WALKS = 5;

/**
 * Reads the list of conversations until all of them have been seen, and yields each wanted one once.
 *
 * @param ahead Number of pages to read ahead.
 * @returns The time from which the next search must look for messages; undefined if this search has not seen every
 * conversation.
 */
export const findConversations = async function* (
  { clock, key, reporter, callDefaults }: ClientSettings,
  { makeCall }: Caller,
  query: ConversationListQuery,
  options: CallOptions,
  ahead: number,
  isWanted: (conversation: Conversation) => boolean,
): AsyncGenerator<Conversation, number | undefined> {
  const census = createCensus();
  const isFiltered = Object.values(query).some((value) => value !== undefined);
  let nextFrom: number | undefined;

  for (let walk = 1; walk <= MAX_WALKS; walk += 1) {
    const local = clock.now() - LOCAL_MARGIN;
    /** The service's time at the first page. */
    let date = Number.NaN;
    const dated: Caller['makeCall'] = async (operation, input, callOptions, read) => {
      const result = await makeCall(operation, { ...input, ...bulkInput(callDefaults) }, callOptions, read);
      date = Number.isNaN(date) ? Date.parse(result.response?.headers.date ?? '') : date;
      return result;
    };
    const list = createListById(dated, reporter, key.redact);
    // Later walks usually end early, so pages that are read ahead would be wasted.
    const prefetch = walk === 1 ? ahead : 0;
    let isFirst = true;
    for await (const page of list('conversations.list', query, { ...options, prefetch }).pages()) {
      if (isFirst) {
        const isLocal = Number.isNaN(date);
        nextFrom ??= isLocal ? local : date - MARGIN;
        // A conversation of any age may begin to match a filter.
        const began = isFiltered ? Number.NEGATIVE_INFINITY : isLocal ? local : date - CLOCK_SKEW;
        census.beginWalk(page.progress.total, began);
      }
      yield* census.see(page.data, isFirst).filter(isWanted);
      isFirst = false;
      if (census.isComplete(false)) {
        break;
      }
    }
    if (census.isComplete(true)) {
      return nextFrom;
    }
  }
  return undefined;
};
