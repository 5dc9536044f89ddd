import type { Checks } from '@confab/internal';
import { integerFrom } from '@confab/internal';
import type { DataOf } from '../call/api-promise.ts';
import type { Caller } from '../call/call.ts';
import { handleIssues, readData } from '../call/response.ts';
import type { ApiResponse } from '../call/types.ts';
import { PaginationMetaSchema } from '../contract/envelope.ts';
import { operations } from '../contract/operations.ts';
import type { ConversationListQuery, Issue, LeadListQuery, PaginationMeta } from '../contract/types.ts';
import { InvalidResponseError } from '../errors/index.ts';
import type { Reporter } from '../hooks/reporter.ts';
import type { CallOptions } from '../options/client-options.ts';
import { CALL_OPTIONS, checkCallOptions } from '../options/option-checks.ts';
import type { Redact } from '../secrecy/safe-cause.ts';
import { Paginated } from './paginated.ts';
import type { ReadPage } from './read-pages.ts';
import type { ListOperation, PageRange, RawPage } from './walk.ts';

/** Finds where `meta` contradicts the rows or the request. */
const findContradictions = (meta: PaginationMeta, { offset, limit = meta.limit }: PageRange, end: number) => {
  const issues: Issue[] = [];
  if (meta.total < end && end > offset) {
    issues.push({ path: 'meta.total', message: `is ${meta.total}, but the page ends at row ${end}` });
  }
  for (const [name, requested] of Object.entries({ offset, limit }) as ['offset' | 'limit', number][]) {
    if (meta[name] !== requested) {
      issues.push({ path: `meta.${name}`, message: `is ${meta[name]}, but ${requested} was requested` });
    }
  }
  return issues;
};

/**
 * Returns rows of a response. Without ids, those that were already returned cannot be recognized.
 *
 * @throws {@link InvalidResponseError} When it is not a list of rows with ids.
 */
export const checkRows = <Row>(what: string, rows: unknown, { call, status }: ApiResponse): Row[] => {
  if (!Array.isArray(rows) || !rows.every((row) => typeof row?.id === 'string')) {
    const { operation } = call.request;
    const message = `${operation} returned ${what} that is not a list of rows with ids.`;
    throw new InvalidResponseError(message, { operation, status });
  }
  return rows;
};

/**
 * Reads a page from a response. Reports a `meta` that contradicts its rows or the request.
 *
 * @throws {@link InvalidResponseError} When the data is not a list of rows with ids.
 */
const readPage = <Row>(response: ApiResponse, range: PageRange, reporter: Reporter): RawPage<Row> => {
  const { offset, limit } = range;
  const { data, meta: rawMeta } = readData<ListOperation>(response, reporter);
  const rows = checkRows<Row>('data', data, response);
  const end = offset + rows.length;
  const meta = PaginationMetaSchema.safeParse(rawMeta).data;
  const issues = meta === undefined ? [] : findContradictions(meta, range, end);
  if (issues.length > 0) {
    handleIssues(issues, response, reporter);
  }
  return {
    rows,
    total: meta !== undefined && rows.length > 0 && meta.total < end ? undefined : meta?.total,
    meta: meta ?? { total: end, limit: limit ?? rows.length, offset },
    requestedLimit: limit,
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
      checkCallOptions({ id }, options, LIST_OPTIONS, redact);
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
