import type { PaginationMeta } from '@confab/client/contract';
import { integerFrom, optionProblem } from '@confab/internal';
import type { Checks } from '../../errors/check.ts';
import { checkObject, integerBetween, throwIfInvalid } from '../../errors/check.ts';
import type { LoggedRequest } from './logged-request.ts';
import type { RequestPattern } from './pattern.ts';
import { filterRequests, PATTERN_CHECKS, PATTERN_EXAMPLE } from './pattern.ts';

/** A filter for the request log. Every part is optional. */
export interface RequestQuery extends Pick<RequestPattern, 'operation' | 'status' | 'method'> {
  /**
   * The most requests on the page, from 1 to 10,000.
   * @default 1_000
   */
  readonly limit?: number | undefined;
  /**
   * How many requests to skip, starting with the oldest.
   * @default 0
   */
  readonly offset?: number | undefined;
}

/** One page of the request log, oldest first. */
export interface RequestPage {
  /** The requests of the page. */
  readonly data: readonly LoggedRequest[];
  /** The position of the page, and the number of requests that match. */
  readonly meta: PaginationMeta;
}

const LIMIT = 1_000;

const QUERY: Checks<RequestQuery> = {
  operation: PATTERN_CHECKS.operation,
  status: PATTERN_CHECKS.status,
  method: PATTERN_CHECKS.method,
  limit: integerBetween(1, 10_000),
  offset: integerFrom(0),
};

/** Returns one page of a list, and the length of the list. */
export const slicePage = <T>(
  rows: readonly T[],
  { limit = LIMIT, offset = 0 }: Pick<RequestQuery, 'limit' | 'offset'>,
): { data: readonly T[]; meta: PaginationMeta } => {
  throwIfInvalid(QUERY.limit('limit', limit) ?? QUERY.offset('offset', offset));
  return { data: rows.slice(offset, offset + limit), meta: { total: rows.length, limit, offset } };
};

/**
 * Returns the page of requests for a query.
 *
 * @throws A {@link MockError} `INVALID_ARGUMENT`, when a filter or operation is unknown, or a value invalid.
 */
export const queryRequests = (requests: readonly LoggedRequest[], query: RequestQuery): RequestPage => {
  checkObject('requests.list()', query, PATTERN_EXAMPLE);
  throwIfInvalid(optionProblem('filter of requests', query, QUERY));
  const { limit, offset, ...pattern } = query;
  return slicePage(filterRequests(requests, pattern), { limit, offset });
};
