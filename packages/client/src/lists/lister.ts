import type { Caller } from '../call/call.ts';
import type { DataOf } from '../call/call-operation.ts';
import { queryProblem } from '../call/check-content.ts';
import type { ConversationListQuery, LeadListQuery } from '../contract/types.ts';
import { InvalidRequestError } from '../errors/index.ts';
import type { Redact } from '../errors/redaction.ts';
import { withoutKey } from '../errors/redaction.ts';
import type { Checks } from '../options/check-values.ts';
import { checkOptions, wholeFrom } from '../options/check-values.ts';
import type { CallOptions } from '../options/client-options.ts';
import type { Reporter } from '../options/create-reporter.ts';
import { CALL_OPTIONS } from '../options/option-checks.ts';
import { Paginated } from './list.ts';
import type { ListOperation } from './read-page.ts';
import { createReadPage } from './read-page.ts';

/** Options of a list: those of each of its calls, and how to iterate. */
export interface ListOptions extends CallOptions {
  /**
   * Number of pages to read ahead while iterating.
   *
   * @default 0
   */
  prefetch?: number | undefined;
}

const LIST_OPTIONS: Checks<ListOptions> = { ...CALL_OPTIONS, prefetch: wholeFrom(0) };

/** A row of a list. */
type RowOf<Id extends ListOperation> = DataOf<Id>[number];

/** The query of each list. */
interface ListQueries {
  'conversations.list': ConversationListQuery;
  'leads.list': LeadListQuery;
}

/** The query of a list. */
export type QueryOf<Id extends ListOperation> = ListQueries[Id];

/** Creates paged lists. */
export type Lister = <Id extends ListOperation>(
  id: Id,
  query?: QueryOf<Id>,
  options?: ListOptions,
) => Paginated<RowOf<Id>>;

export const createLister =
  (call: Caller['call'], report: Reporter, redact: Redact): Lister =>
  <Id extends ListOperation>(id: Id, query?: QueryOf<Id>, options: ListOptions = {}) => {
    withoutKey(redact, () => checkOptions(`option of ${id}`, options, LIST_OPTIONS));
    const { prefetch, ...callOptions } = options;
    const problem = queryProblem(query);
    return new Paginated<RowOf<Id>>({
      operation: id,
      read:
        problem === undefined
          ? createReadPage(id, { ...query }, callOptions, call, report)
          : () => Promise.reject(new InvalidRequestError(id, [{ path: 'query', message: problem }])),
      query: { ...query },
      limit: query?.limit,
      offset: query?.offset,
      prefetch,
      signal: callOptions.signal,
    });
  };
