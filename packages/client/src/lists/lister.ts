import type { Checks } from '@confab/internal';
import { integerFrom } from '@confab/internal';
import type { DataOf } from '../call/api-promise.ts';
import type { Caller } from '../call/call.ts';
import { queryProblem } from '../call/check-input.ts';
import { handleIssues, readData, readMeta } from '../call/response.ts';
import type { ApiResponse } from '../call/types.ts';
import { operations } from '../contract/operations.ts';
import type { ConversationListQuery, Issue, LeadListQuery, PaginationMeta } from '../contract/types.ts';
import { InvalidRequestError, InvalidResponseError } from '../errors/index.ts';
import type { Redact } from '../errors/redaction.ts';
import { withoutKey } from '../errors/redaction.ts';
import type { CallOptions } from '../options/client-options.ts';
import { CALL_OPTIONS, checkOptions } from '../options/option-checks.ts';
import type { Reporter } from '../options/reporter.ts';
import { Paginated } from './list.ts';
import type { ListOperation, RawPage, ReadPage } from './read-ahead.ts';

/** Finds where `meta` contradicts the rows or the request. */
const findContradictions = (meta: PaginationMeta, offset: number, limit: number | undefined, end: number) => {
  const issues: Issue[] = [];
  if (meta.total < end && end > offset) {
    issues.push({ path: 'meta.total', message: `is ${meta.total}, but the page ends at row ${end}` });
  }
  const asked = { offset, limit: limit ?? meta.limit };
  for (const name of ['offset', 'limit'] as const) {
    if (meta[name] !== asked[name]) {
      issues.push({ path: `meta.${name}`, message: `is ${meta[name]}, but ${asked[name]} was requested` });
    }
  }
  return issues;
};

/** Creates a function that reads pages of a list and reports a `meta` that cannot be right. */
const createReadPage = <Row>(
  operation: ListOperation,
  query: Readonly<Record<string, unknown>>,
  options: CallOptions | undefined,
  call: Caller['call'],
  report: Reporter,
): ReadPage<Row> => {
  return async (range, signal = options?.signal) => {
    const { offset = 0, limit } = range;

    const read = (response: ApiResponse): RawPage<Row> => {
      const envelope = readData<ListOperation>(response, report);
      const rows: unknown = envelope.data;
      // Without ids, rows that were already returned cannot be recognized.
      if (!Array.isArray(rows) || !rows.every((row) => typeof row?.id === 'string')) {
        throw new InvalidResponseError(`${operation} returned data that is not a list of rows with ids.`, {
          operation,
          status: response.status,
        });
      }
      const end = offset + rows.length;
      const meta = readMeta(envelope);
      if (meta !== undefined) {
        handleIssues(findContradictions(meta, offset, limit, end), response, report);
      }
      return {
        operation,
        offset,
        rows,
        total: meta !== undefined && rows.length > 0 && meta.total < end ? undefined : meta?.total,
        meta: meta ?? { total: end, limit: limit ?? rows.length, offset },
        asked: limit,
      };
    };

    const input = { query: { ...query, ...range } };
    const callOptions = signal === undefined ? options : { ...options, signal };
    const result = await call(operations[operation], input, callOptions, read);
    if ('error' in result) {
      throw result.error;
    }
    return result.data;
  };
};

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

/** Creates paged lists. */
export type Lister = <Id extends ListOperation>(
  id: Id,
  query?: QueryOf<Id>,
  options?: ListOptions,
) => Paginated<RowOf<Id>>;

export const createLister =
  (call: Caller['call'], report: Reporter, redact: Redact): Lister =>
  <Id extends ListOperation>(id: Id, query?: QueryOf<Id>, options?: ListOptions) => {
    if (options !== undefined) {
      withoutKey(redact, () => checkOptions(`option of ${id}`, options, LIST_OPTIONS));
    }
    const { prefetch, ...callOptions } = options ?? {};
    const problem = queryProblem(query);
    return new Paginated<RowOf<Id>>({
      operation: id,
      read:
        problem === undefined
          ? createReadPage(id, { ...query }, options && callOptions, call, report)
          : () => Promise.reject(new InvalidRequestError(id, [{ path: 'query', message: problem }])),
      query: { ...query },
      limit: query?.limit,
      offset: query?.offset,
      prefetch,
      signal: callOptions.signal,
    });
  };
