import type { OperationId } from '@confab/client/contract';
import { namesOf } from '@confab/internal';
import { checkNames, checkWord } from '../../checks/check-names.ts';
import { checkOperation } from '../../checks/check-operation.ts';
import { isWait, WAIT_WANTED } from '../clock/calendar.ts';

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
  readonly method: string;
  /** Below the base URL: `/api/v2/public/leads`. */
  readonly path: string;
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

/** @throws {TypeError} For a name that no operation has. */
export const checkTarget = (target: string): void => checkOperation(target, ['*']);

const FIELDS = namesOf<Fault>({
  status: true,
  code: true,
  headers: true,
  delayMs: true,
  network: true,
  body: true,
  probability: true,
});

const checkHeaders = (headers: Readonly<Record<string, string>>): void => {
  try {
    new Headers(headers);
  } catch (error) {
    throw new TypeError(
      `The headers of a fault can't be sent: ${error instanceof Error ? error.message : error}`,
    );
  }
};

/** @throws {TypeError | RangeError} For a name or value that a fault can't have, or headers that can't be sent. */
export const checkFault = (fault: Fault): void => {
  checkNames('fault field', fault, FIELDS);
  const { status, delayMs = 0, probability = 1, headers = {}, network } = fault;
  if (network !== undefined) {
    checkWord('network fault', network, NETWORK_FAULTS);
  }
  if (status !== undefined && !(Number.isInteger(status) && status >= 200 && status <= 599)) {
    throw new RangeError(`The status of a fault is a whole number from 200 to 599, not ${status}`);
  }
  if (!isWait(delayMs)) {
    throw new RangeError(`The delayMs of a fault is ${WAIT_WANTED}, not ${delayMs}`);
  }
  if (!(probability >= 0 && probability <= 1)) {
    throw new RangeError(`The probability of a fault is a number from 0 to 1, not ${probability}`);
  }
  checkHeaders(headers);
};
