import { handleIssues, readData } from '../call/response.ts';
import type { ApiResponse } from '../call/types.ts';
import { PaginationMetaSchema } from '../contract/envelope.ts';
import type { Issue, OperationId, PaginationMeta } from '../contract/types.ts';
import { InvalidResponseError } from '../errors/index.ts';
import type { Reporter } from '../hooks/reporter.ts';

/** An operation that returns one page of a list. */
export type ListOperation = Extract<OperationId, 'conversations.list' | 'leads.list'>;

/** Rows to request. */
export interface PageRange {
  readonly offset: number;
  /** Undefined for the service's default. */
  readonly limit: number | undefined;
}

/** Part of a list, as the service returned it. */
export interface RawPage<Row> {
  readonly rows: Row[];
  /** Rows of the whole list; undefined when the service did not report them, or reported fewer than it returned. */
  readonly total: number | undefined;
  /** As the service sent it, or derived from the rows when it sent none. */
  readonly meta: PaginationMeta;
  /** Undefined for the service's default. */
  readonly requestedLimit: number | undefined;
}

/**
 * Reads a page.
 *
 * @param isAhead True when nobody waits for it yet.
 */
export type ReadPage<Row> = (
  range: PageRange,
  signal?: AbortSignal,
  isAhead?: boolean,
) => Promise<RawPage<Row>>;

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
export const readPage = <Row>(response: ApiResponse, range: PageRange, reporter: Reporter): RawPage<Row> => {
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
