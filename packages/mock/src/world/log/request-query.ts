import type { OperationId, PaginationMeta } from '@confab/client/contract';
import { namesOf } from '@confab/internal';
import { checkNames } from '../../checks/check-names.ts';
import { checkWhole } from '../../checks/check-number.ts';
import { checkOperation } from '../../checks/check-operation.ts';
import { invalidArgument } from '../../errors/invalid-argument.ts';
import type { LoggedRequest } from './logged-request.ts';

/** Which requests of the log are asked for; what is left out lets all through. */
export interface RequestQuery {
  /** Only requests for this operation. */
  readonly operation?: OperationId | undefined;
  /** Status of the answer. */
  readonly status?: number | undefined;
  /** `GET`, `POST`, … */
  readonly method?: string | undefined;
  /**
   * How many at most, from 1 to 10,000.
   * @default 1_000
   */
  readonly limit?: number | undefined;
  /**
   * How many are skipped, from the oldest on.
   * @default 0
   */
  readonly offset?: number | undefined;
}

/** Requests of the log, oldest first, and how many there are of their kind. */
export interface RequestPage {
  /** The requests, oldest first. */
  readonly data: readonly LoggedRequest[];
  /** The position of the page, and the number of all matching requests. */
  readonly meta: PaginationMeta;
}

const NAMES = namesOf<RequestQuery>({
  operation: true,
  status: true,
  method: true,
  limit: true,
  offset: true,
});

const [LIMIT, MAX_LIMIT] = [1_000, 10_000];

/** Takes a slice of a list, and says how long that is. */
export const slicePage = <T>(
  rows: readonly T[],
  { limit = LIMIT, offset = 0 }: Pick<RequestQuery, 'limit' | 'offset'>,
): { data: readonly T[]; meta: PaginationMeta } => {
  checkWhole('`limit`', limit, 1, MAX_LIMIT);
  checkWhole('`offset`', offset, 0);
  return { data: rows.slice(offset, offset + limit), meta: { total: rows.length, limit, offset } };
};

const checkQuery = ({ operation, status }: RequestQuery): void => {
  if (operation !== undefined) {
    checkOperation(operation);
  }
  if (status !== undefined && !Number.isInteger(status)) {
    throw invalidArgument(`\`status\` must be a whole number, such as 429, got ${status}`);
  }
};

/**
 * The page of requests that a query asks for.
 *
 * @throws {@link MockError} `INVALID_ARGUMENT`, when a filter or operation is unknown, or a value invalid.
 */
export const pageOf = (requests: readonly LoggedRequest[], query: RequestQuery): RequestPage => {
  checkNames('filter of requests', query, NAMES);
  checkQuery(query);
  const { operation, status, method, limit, offset } = query;
  const wanted = requests.filter(
    (request) =>
      (operation === undefined || request.operation === operation) &&
      (status === undefined || request.status === status) &&
      (method === undefined || request.method === method.toUpperCase()),
  );
  return slicePage(wanted, { limit, offset });
};
