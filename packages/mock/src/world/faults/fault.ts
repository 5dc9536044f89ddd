import type { OperationId } from '@confab/client/contract';

/** How a connection can fail, for {@link Fault.network}. */
export const NETWORK_FAULTS = ['error', 'hang', 'truncate', 'stall'] as const;

/** What goes wrong with a request. */
export interface Fault {
  /** Answered instead of doing anything. */
  readonly status?: number;
  /** Code in the error body. */
  readonly code?: string;
  /** Added to the answer, or put in place of what it has. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds on the mock's clock before anything else happens. */
  readonly delayMs?: number;
  /**
   * `'error'`: the connection breaks before anything is done. `'hang'`: no answer ever comes.
   * `'truncate'`: the request is carried out, but the answer breaks off in the middle.
   * `'stall'`: the request is carried out, but after half of the answer nothing more comes.
   */
  readonly network?: (typeof NETWORK_FAULTS)[number];
  /** Sent as the body: a string as it is, even if it is not JSON; anything else as JSON. */
  readonly body?: unknown;
  /**
   * How likely it strikes, from 0 to 1, decided by the seed.
   * @default 1
   */
  readonly probability?: number;
}

/** An operation, or every request: also one for which there is no operation. */
export type FaultTarget = OperationId | '*';

/** A request, as a {@link FaultFunction} is shown it. */
export interface FaultRequest {
  /** `undefined` when no operation has this method and path. */
  readonly operation: OperationId | undefined;
  /** The HTTP method. */
  readonly method: string;
  /** Below the base URL: `/api/v2/public/leads`. */
  readonly path: string;
  /** The path parameters, by name. */
  readonly params: Readonly<Record<string, string>>;
  /** Whole numbers where the contract has them, as in the log. */
  readonly query: Readonly<Record<string, unknown>>;
  /** The JSON of the body; the text if it is not JSON; `undefined` without one. */
  readonly body: unknown;
  /** As they came, the key included. */
  readonly headers: Headers;
}

/**
 * Decides whether a request meets a fault, and which.
 *
 * `undefined` means not this request: it goes its usual way, or meets what else is planned. A promise holds the
 * request until it settles; its `undefined` lets the request go its usual way. What it throws is answered as a 500
 * that quotes the message.
 *
 * @example
 * mock.faults.always('leads.create', ({ headers }) => (headers.has('x-tenant') ? undefined : { status: 400 }));
 */
export type FaultFunction = (request: FaultRequest) => Fault | undefined | Promise<Fault | undefined>;
