import type { OperationId } from '@confab/client/contract';

/** How a connection can fail, for {@link Fault.network}. */
export const NETWORK_FAULTS = ['error', 'hang', 'truncate', 'stall'] as const;

/**
 * What goes wrong with a request: an error response, a delay, a failing connection, or several of these. At least one field
 * other than `probability` and `skip` is required.
 */
export interface Fault {
  /** The status of the response, from 200 to 599. The operation does not run. */
  readonly status?: number | undefined;
  /**
   * The code in the body of the error response. The operation does not run; without `status`, the status is 500.
   * @default depends on `status`: `'RATE_LIMIT_EXCEEDED'` for 429, `'INTERNAL_ERROR'` for 500
   */
  readonly code?: string | undefined;
  /** Headers to add to the response. They replace those of the same name. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * How long the request waits first, in milliseconds on the mock's clock.
   * @default 0
   */
  readonly delayMs?: number | undefined;
  /**
   * How the connection fails.
   *
   * - `'error'`: it breaks before the operation runs.
   * - `'hang'`: no response ever arrives.
   * - `'truncate'`: the operation runs, but the connection breaks in the middle of the response.
   * - `'stall'`: the operation runs, but the second half of the response never arrives.
   */
  readonly network?: (typeof NETWORK_FAULTS)[number] | undefined;
  /**
   * The body of the response. A string is sent as it is, even if it is not JSON; anything else is sent as JSON. The
   * operation does not run; without `status`, the status is that of its success.
   */
  readonly body?: unknown;
  /**
   * The probability that a request gets the fault, from 0 to 1. The same seed draws the same requests.
   * @default 1
   */
  readonly probability?: number | undefined;
  /**
   * How many requests pass before the fault takes effect: `once` with `skip: 2` strikes the third request. A fault that a
   * function returns must not have it.
   * @default 0
   */
  readonly skip?: number | undefined;
}

/** An operation, or `'*'` for every request, including requests without an operation. */
export type FaultTarget = OperationId | '*';

/** A fault that is planned, as {@link Mock.faults} lists it. */
export interface PlannedFault {
  /** Its id, for `faults.remove()`. */
  readonly id: string;
  /** The operation whose requests get it, or `'*'`. */
  readonly operation: FaultTarget;
  /** The fault, or the function that decides on it. */
  readonly fault: Fault | FaultFunction;
  /** Whether only the next request gets it. */
  readonly once: boolean;
}

/** A request, as a {@link FaultFunction} receives it. */
export interface FaultRequest {
  /** The operation; `undefined` when no operation has this method and path. */
  readonly operation: OperationId | undefined;
  /** The HTTP method. */
  readonly method: string;
  /** The path below the base URL: `/api/v2/public/leads`. */
  readonly path: string;
  /** The parameters in the path. */
  readonly params: Readonly<Record<string, string>>;
  /** The query parameters, with whole numbers where the contract has them. */
  readonly query: Readonly<Record<string, unknown>>;
  /** The parsed body, its text if it is not JSON, or `undefined` if there is none. */
  readonly body: unknown;
  /** All headers, including the key. */
  readonly headers: Headers;
}

/**
 * Decides whether a request gets a fault, and which.
 *
 * If it returns `undefined`, the request gets the next planned fault, or none. If it returns a promise, the request waits
 * for it; a promise of `undefined` means no fault at all. If it throws, the response is a 500 that quotes the message.
 *
 * @example
 * ```ts
 * mock.faults.always('leads.create', ({ headers }) => (headers.has('x-tenant') ? undefined : { status: 400 }));
 * ```
 */
export type FaultFunction = (request: FaultRequest) => Fault | undefined | Promise<Fault | undefined>;
