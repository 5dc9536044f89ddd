import type { OperationId } from '@confab/client/contract';

/** How a connection can fail, for {@link Fault.network}. */
export const NETWORK_FAULTS = ['error', 'hang', 'truncate', 'stall'] as const;

/** What goes wrong with a request. */
export interface Fault {
  /** Status of the response, from 200 to 599, sent instead of running the operation. */
  readonly status?: number | undefined;
  /** Code in the body of the error response. */
  readonly code?: string | undefined;
  /** Headers to add to the response, or to replace in it. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Milliseconds on the mock's clock before anything else happens.
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
  /** Body of the response: a string is sent as it is, even if it is not JSON, and anything else as JSON. */
  readonly body?: unknown;
  /**
   * How likely the fault is, from 0 to 1. The seed decides.
   * @default 1
   */
  readonly probability?: number | undefined;
}

/** An operation, or `'*'` for every request, including requests without an operation. */
export type FaultTarget = OperationId | '*';

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
