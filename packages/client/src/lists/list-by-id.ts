import type { Checks } from '@confab/internal';
import { integerFrom } from '@confab/internal';
import type { Caller, DataOf } from '../call/call.ts';
import { operations } from '../contract/operations.ts';
import type { ConversationListQuery, LeadListQuery } from '../contract/types.ts';
import type { Reporter } from '../hooks/reporter.ts';
import type { CallOptions } from '../options/client-options.ts';
import { CALL_OPTIONS, checkCallOptions } from '../options/option-checks.ts';
import type { Redact } from '../secrecy/safe-cause.ts';
import { Paginated } from './paginated.ts';
import type { ListOperation, ReadPage } from './read-page.ts';
import { readPage } from './read-page.ts';

/** Options of a list: those of each of its calls, and how to iterate. */
export interface ListOptions extends CallOptions {
  /**
   * Number of pages to read ahead while iterating.
   *
   * @default 0
   */
  prefetch?: number | undefined;
}

const LIST_OPTIONS: Checks<ListOptions> = { ...CALL_OPTIONS, prefetch: integerFrom(0) };

/** A row of a list. */
type RowOf<Id extends ListOperation> = DataOf<Id>[number];

/** The query of each list. */
interface ListQueries {
  'conversations.list': ConversationListQuery;
  'leads.list': LeadListQuery;
}

/** The query of a list. */
export type QueryOf<Id extends ListOperation> = ListQueries[Id];

/** Creates a paged list. */
export type ListById = <Id extends ListOperation>(
  id: Id,
  query?: QueryOf<Id>,
  options?: ListOptions,
) => Paginated<RowOf<Id>>;

export const createListById =
  (makeCall: Caller['makeCall'], reporter: Reporter, redact: Redact): ListById =>
  <Id extends ListOperation>(id: Id, query?: QueryOf<Id>, options?: ListOptions) => {
    if (options !== undefined) {
      checkCallOptions(operations[id], options, LIST_OPTIONS, redact);
    }
    const { prefetch, ...callOptions } = options ?? {};
    const { limit, offset } = query ?? {};
    const isPaged = typeof (limit ?? 0) === 'number' && typeof (offset ?? 0) === 'number';

    const read: ReadPage<RowOf<Id>> = async (range, signal = callOptions.signal, isAhead = false) => {
      // What the walk cannot count with is sent as it is, to be refused.
      const page = isPaged ? { limit: range.limit, offset: range.offset || offset } : undefined;
      const input = { query, page, isBulk: isAhead };
      const readOptions =
        signal === undefined && options === undefined ? undefined : { ...callOptions, signal };
      const result = await makeCall(operations[id], input, readOptions, (response) =>
        readPage<RowOf<Id>>(response, range, reporter),
      );
      if ('error' in result) {
        throw result.error;
      }
      return result.data;
    };
    const { signal } = callOptions;
    return new Paginated<RowOf<Id>>({
      operation: id,
      read,
      query: { ...query },
      limit: isPaged ? limit : undefined,
      offset: isPaged ? offset : undefined,
      prefetch,
      signal,
      redact,
    });
  };
