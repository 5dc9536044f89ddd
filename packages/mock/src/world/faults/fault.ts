import type { OperationId } from '@confab/client/contract';
import { optionProblem } from '@confab/internal';
import type { Checks } from '../../errors/check.ts';
import {
  areHeaders,
  checkOperation,
  integerFrom,
  isString,
  isWait,
  must,
  oneOf,
  refuse,
} from '../../errors/check.ts';
import { invalidArgument } from '../../errors/mock-error.ts';

/** How a connection can fail, for {@link Fault.network}. */
const NETWORK_FAULTS = ['error', 'hang', 'truncate', 'stall'] as const;

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

/** A fault to plan, as requests and data files write it. */
export interface FaultPlan {
  /** The operation whose requests get it, or `'*'` for all requests. */
  readonly operation: FaultTarget;
  /** What goes wrong. */
  readonly fault: Fault;
  /**
   * Whether only the next request gets it.
   * @default true
   */
  readonly once?: boolean | undefined;
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
 * If it returns `undefined`, or a promise of it, the request gets the next planned fault, or none. The request waits for a
 * promise. If it throws, the response is a 500 that quotes the message.
 *
 * @example
 * ```ts
 * mock.faults.always('leads.create', ({ headers }) => (headers.has('x-tenant') ? undefined : { status: 400 }));
 * ```
 */
export type FaultFunction = (request: FaultRequest) => Fault | undefined | Promise<Fault | undefined>;

/** @throws {@link MockError} `INVALID_ARGUMENT`, when it is neither an operation nor `*`. */
export const checkTarget = (target: string): void => {
  if (target !== '*') {
    checkOperation(target);
  }
};

const isJson = must((body) => {
  try {
    return JSON.stringify(body) !== undefined;
  } catch {
    return false;
  }
}, 'a value that JSON can express');

/** The fields that say what goes wrong. */
const EFFECTS: Checks<Omit<Fault, 'probability' | 'skip'>> = {
  status: integerFrom(200, 599),
  code: isString,
  headers: areHeaders,
  delayMs: isWait,
  network: oneOf(...NETWORK_FAULTS),
  body: isJson,
};

const CHECKS: Checks<Fault> = {
  ...EFFECTS,
  probability: must((value) => typeof value === 'number' && value >= 0 && value <= 1, 'a number from 0 to 1'),
  skip: integerFrom(0),
};

/** @throws {@link MockError} `INVALID_ARGUMENT`, when it has no effect, a field is unknown, or a value invalid. */
export const checkFault = (fault: Fault): void => {
  refuse(optionProblem('fault field', fault, CHECKS, { prefix: 'fault.' }));
  const effects = Object.keys(EFFECTS) as (keyof typeof EFFECTS)[];
  // A test with a fault without effect would pass for the wrong reason.
  if (effects.every((name) => fault[name] === undefined)) {
    throw invalidArgument(
      `A fault must have at least one of ${effects.map((name) => `\`${name}\``).join(', ')}, such as { status: 503 } or { network: 'error' }`,
    );
  }
};
