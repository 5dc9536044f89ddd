import type { OperationId } from '@confab/client/contract';
import { checkOperation } from '../../errors/check.ts';
import type { LoggedRequest } from './logged-request.ts';
import type { RequestExpectation, RequestPattern } from './pattern.ts';
import { filterRequests, verify } from './pattern.ts';
import type { RequestPage, RequestQuery } from './query.ts';
import { queryRequests } from './query.ts';

/** Bytes of a logged request or a delivery, without its strings. */
const BYTES_PER_ENTRY = 512;

/** Bytes of a parsed value, such as a number or an empty object. */
const BYTES_PER_VALUE = 48;

/**
 * Estimates how many bytes of memory an entry takes. Parsed JSON may take ten times as much as its text.
 *
 * @param json A JSON text that is kept parsed.
 * @param texts Strings that are kept as they are.
 */
export const estimateBytes = (json: string, ...texts: readonly string[]): number => {
  const values = json.match(/[,:[{]/g)?.length ?? 0;
  let weight = BYTES_PER_ENTRY + BYTES_PER_VALUE * values + 2 * json.length;
  for (const text of texts) {
    weight += 2 * text.length;
  }
  return weight;
};

/** The most requests to keep, so that a server that runs for days does not fill the memory. */
const MAX_REQUESTS = 10_000;

/** A request in the log, and the memory that it takes. */
interface Kept {
  readonly request: LoggedRequest;
  readonly bytes: number;
}

/** All requests in the log, as a snapshot saves them. */
export type LogState = readonly Kept[];

/**
 * The log of a mock's requests, in the order in which they ended. It keeps the latest 10,000 requests, or fewer if they
 * take more memory than `maxLogBytes`.
 *
 * @example
 * ```ts
 * mock.requests.of('leads.create').map(({ body }) => body);
 * ```
 */
export interface MockRequests extends Iterable<LoggedRequest> {
  /**
   * Returns the requests of one operation.
   *
   * @throws A {@link MockError} `INVALID_ARGUMENT`, when the operation is unknown.
   */
  of(operation: OperationId): readonly LoggedRequest[];
  /**
   * Returns one page of the requests that match a filter.
   *
   * @throws A {@link MockError} `INVALID_ARGUMENT`, when a filter or operation is unknown, or a value invalid.
   * @example
   * ```ts
   * const { data, meta } = mock.requests.list({ status: 429, limit: 10 });
   * ```
   */
  list(query?: RequestQuery): RequestPage;
  /**
   * Counts the requests that match a pattern. An empty pattern matches all requests.
   *
   * @throws A {@link MockError} `INVALID_ARGUMENT`, when a field or operation is unknown, or a value invalid.
   * @example
   * ```ts
   * mock.requests.count({ operation: 'leads.create', body: { phone: '+5511987654321' } });
   * ```
   */
  count(pattern?: RequestPattern): number;
  /**
   * Checks how many requests match a pattern, and returns their number. Without `times`, `atLeast` and `atMost`, at least
   * one must match.
   *
   * @throws A {@link MockError} `VERIFICATION_FAILED`, when too few or too many match; its message describes the latest
   * request.
   * @throws A {@link MockError} `INVALID_ARGUMENT`, when a field or operation is unknown, or a value invalid.
   * @example
   * ```ts
   * mock.requests.verify({ operation: 'leads.create', times: 1 });
   * ```
   */
  verify(expectation: RequestExpectation): number;
  /** All requests in the log. */
  readonly all: readonly LoggedRequest[];
  /** The number of requests in the log. */
  readonly length: number;
  /** Removes all requests. */
  clear(): void;
  /** Iterates over all requests in the log. */
  [Symbol.iterator](): IterableIterator<LoggedRequest>;
}

/** The log, of which a test reads the latest requests. */
export class RequestLog implements MockRequests {
  readonly #maxBytes: number;
  #kept: Kept[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  of(operation: OperationId): readonly LoggedRequest[] {
    checkOperation(operation);
    return this.all.filter((request) => request.operation === operation);
  }

  list(query: RequestQuery = {}): RequestPage {
    return queryRequests(this.all, query);
  }

  count(pattern: RequestPattern = {}): number {
    return filterRequests(this.all, pattern).length;
  }

  verify(expectation: RequestExpectation): number {
    return verify(this.all, expectation);
  }

  get all(): readonly LoggedRequest[] {
    return this.#kept.map(({ request }) => request);
  }

  get length(): number {
    return this.#kept.length;
  }

  clear(): void {
    this.load([]);
  }

  [Symbol.iterator](): IterableIterator<LoggedRequest> {
    return this.all[Symbol.iterator]();
  }

  /** @param bytes The memory that the request takes. */
  add(request: LoggedRequest, bytes: number): void {
    // Frozen, because snapshots share the requests.
    for (const part of [request, request.params, request.query, request.body, request.error]) {
      Object.freeze(part);
    }
    this.#kept.push({ request, bytes });
    this.#bytes += bytes;
    while (this.#kept.length > MAX_REQUESTS || this.#bytes > this.#maxBytes) {
      this.#bytes -= this.#kept.shift()?.bytes ?? 0;
    }
  }

  save(): LogState {
    return [...this.#kept];
  }

  load(state: LogState): void {
    this.#kept = [...state];
    this.#bytes = state.reduce((sum, { bytes }) => sum + bytes, 0);
  }
}
