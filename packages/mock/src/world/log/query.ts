import type { OperationId, PaginationMeta } from '@confab/client/contract';
import { namesOf } from '@confab/internal';
import { checkNames, integerFrom, oneOf, refuse } from '../../errors/check.ts';
import type { LoggedRequest } from './logged-request.ts';
import { matching } from './pattern.ts';

/** A filter for the request log. Every part is optional. */
export interface RequestQuery {
  /** Only requests of this operation. */
  readonly operation?: OperationId | undefined;
  /** Only requests whose response has this status. */
  readonly status?: number | undefined;
  /** Only requests with this method: `GET`, `POST`, … */
  readonly method?: string | undefined;
  /**
   * The length of the page, from 1 to 10,000.
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
  /** The page's position, and how many requests match. */
  readonly meta: PaginationMeta;
}

const NAMES = namesOf<RequestQuery>({
  operation: true,
  status: true,
  method: true,
  limit: true,
  offset: true,
});

const LIMIT = 1_000;
const isLimit = integerFrom(1, 10_000);
const isOffset = integerFrom(0);

/** Returns one page of a list, and the length of the list. */
export const slicePage = <T>(
  rows: readonly T[],
  { limit = LIMIT, offset = 0 }: Pick<RequestQuery, 'limit' | 'offset'>,
): { data: readonly T[]; meta: PaginationMeta } => {
  refuse(isLimit('limit', limit) ?? isOffset('offset', offset));
  return { data: rows.slice(offset, offset + limit), meta: { total: rows.length, limit, offset } };
};

/** The methods of HTTP. A log may contain others too. */
const isMethod = oneOf('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT');

/**
 * The page of requests that a query asks for.
 *
 * @throws {@link MockError} `INVALID_ARGUMENT`, when a filter or operation is unknown, or a value invalid.
 */
export const pageOf = (requests: readonly LoggedRequest[], query: RequestQuery): RequestPage => {
  checkNames('filter of requests', query, NAMES);
  const { operation, status, method, ...range } = query;
  const found = matching(requests, { operation, status, method });
  if (method !== undefined && found.length === 0) {
    refuse(isMethod('method', method.toUpperCase()));
  }
  return slicePage(found, range);
};
