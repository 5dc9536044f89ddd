import type { Caller } from '../call/call.ts';
import type { Conversation, ConversationListQuery } from '../contract/types.ts';
import { createListById } from '../lists/list-by-id.ts';
import type { CallOptions } from '../options/client-options.ts';
import type { ClientSettings } from '../options/resolve-options.ts';
import { bulkInput } from './bulk.ts';
import { createCensus } from './census.ts';

const MINUTE = 60_000;

/** How far the next pass goes back: the clocks of a service differ, and its lists may lag behind its messages. */
const MARGIN = 2 * MINUTE;
/** The same where no `Date` can be read, as in a browser, and the local clock counts. */
const LOCAL_MARGIN = 60 * MINUTE;
/** Milliseconds by which the clock of a service's `Date` may differ from the one of its rows. */
const CLOCK_SKEW = 5_000;
/** The maximum number of times to read the list. */
const MAX_WALKS = 5;

/** Reads the list of conversations until all of them have been seen. */
export interface ConversationSearch {
  /** Yields each conversation once. */
  conversations(): AsyncGenerator<Conversation, void>;
  /**
   * A time from which on the next search must look for messages, because this one had begun. Undefined unless this search
   * has ended and has seen every conversation.
   */
  readonly nextFrom: number | undefined;
}

/** @param ahead Pages to read ahead. */
export const searchConversations = (
  { clock, key, reporter, callDefaults }: ClientSettings,
  { makeCall }: Caller,
  query: ConversationListQuery,
  options: CallOptions,
  ahead: number,
): ConversationSearch => {
  const census = createCensus();
  const isFiltered = Object.values(query).some((value) => value !== undefined);
  let nextFrom: number | undefined;

  /** Reads the list once. The first page comes with times before it was read, on the clock of the service. */
  const readList = async function* (prefetch: number) {
    const local = clock.now() - LOCAL_MARGIN;
    let date = Number.NaN;
    const dated: Caller['makeCall'] = async (operation, input, callOptions, read) => {
      const result = await makeCall(operation, { ...input, ...bulkInput(callDefaults) }, callOptions, read);
      date = Number.isNaN(date) ? Date.parse(result.response?.headers.date ?? '') : date;
      return result;
    };
    const list = createListById(dated, reporter, key.redact);
    let isFirst = true;
    for await (const page of list('conversations.list', query, { ...options, prefetch }).pages()) {
      const isLocal = Number.isNaN(date);
      // A conversation of any age may begin to match a filter.
      const began = isFiltered ? Number.NEGATIVE_INFINITY : isLocal ? local : date - CLOCK_SKEW;
      yield { page, first: isFirst ? { began, next: isLocal ? local : date - MARGIN } : undefined };
      isFirst = false;
    }
  };

  const conversations: ConversationSearch['conversations'] = async function* () {
    let next: number | undefined;
    for (let walk = 1; walk <= MAX_WALKS; walk += 1) {
      // Later walks usually end early.
      for await (const { page, first } of readList(walk === 1 ? ahead : 0)) {
        if (first !== undefined) {
          next ??= first.next;
          census.beginWalk(page.progress.total, first.began);
        }
        yield* census.see(page.data, first !== undefined);
        if (census.isComplete(false)) {
          break;
        }
      }
      if (census.isComplete(true)) {
        nextFrom = next;
        return;
      }
    }
  };

  return {
    conversations,
    get nextFrom() {
      return nextFrom;
    },
  };
};
