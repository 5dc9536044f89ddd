import type { OperationId } from '@confab/client/contract';
import {
  integerFrom,
  isObject,
  objectOf,
  oneOf,
  optionProblem,
  suggestNameOrSynonym,
} from '@confab/internal';
import type { Check, Checks } from '../../errors/check.ts';
import {
  areHeaders,
  checkOperation,
  checkThat,
  integerBetween,
  isString,
  isWait,
  throwIfInvalid,
} from '../../errors/check.ts';
import { invalidArgument } from '../../errors/mock-error.ts';
import type { FaultMatch } from '../matching/request-match.ts';
import { checkMatch, checkValues, MATCH_CHECKS } from '../matching/request-match.ts';

/** Statuses whose responses have no body. Only faults respond with them. */
export const BODILESS_STATUSES: readonly number[] = [204, 205, 304];

/** How a connection can fail, for {@link Fault.network}. */
const NETWORK_FAULTS = ['error', 'hang', 'truncate', 'stall'] as const;

/**
 * What goes wrong with a request: an error response, a delay, a failing connection, or several of these. At least one field
 * other than `match`, `probability` and `skip` is required.
 */
export interface Fault {
  /**
   * The status of the response, from 200 to 599. The operation does not run. Responses with 204, 205 and 304 have no body,
   * so a fault with one of them must not have `code`, `body`, `bytesPerSecond` or `network`.
   */
  readonly status?: number | undefined;
  /**
   * The code in the body of the error response. The operation does not run; without `status`, the status is 500. A fault
   * with a `body` must not have it.
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
   * How fast the body is sent, in whole bytes per second on the mock's clock. It is sent in at most 100 pieces, each at the
   * time at which a connection of that speed would have delivered its last byte.
   * @default no limit
   */
  readonly bytesPerSecond?: number | undefined;
  /**
   * How the connection fails.
   *
   * - `'error'`: it breaks before the operation runs.
   * - `'hang'`: the operation does not run, and no response ever arrives.
   * - `'truncate'`: the operation runs, but the connection breaks in the middle of the response.
   * - `'stall'`: the operation runs, but the second half of the response never arrives.
   *
   * With `'error'` and `'hang'` there is no response, so `delayMs` is the only other effect that such a fault may have.
   */
  readonly network?: (typeof NETWORK_FAULTS)[number] | undefined;
  /**
   * The body of the response. A string is sent as it is, even if it is not JSON; anything else is sent as JSON. The
   * operation does not run; without `status`, the status is that of a success.
   */
  readonly body?: unknown;
  /**
   * The requests of the operation that the fault applies to. Other requests do not use it up. Parameters and fields must
   * belong to the operation, and their values must be possible. A fault that a function returns must not have a `match`.
   * @default all requests of the operation
   */
  readonly match?: FaultMatch | undefined;
  /**
   * The probability that the fault applies to a request, from 0 to 1. The same seed chooses the same requests.
   * @default 1
   */
  readonly probability?: number | undefined;
  /**
   * How many matching requests pass before the fault applies to one: `once` with `skip: 2` applies to the third request.
   * A fault that a function returns must not have a `skip`.
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
  /** The operation whose requests the fault applies to, or `'*'`. */
  readonly operation: FaultTarget;
  /** The fault, or the function that decides on it. */
  readonly fault: Fault | FaultFunction;
  /** Whether the fault applies to one request only. */
  readonly once: boolean;
  /** How many requests the fault was applied to, or how often its function was called. */
  readonly used: number;
  /** Whether the fault is part of the option `data`, and was not planned by the test. */
  readonly fromData: boolean;
}

/** A fault to plan, as control requests and data files describe it. */
export interface FaultPlan {
  /** The operation whose requests the fault applies to, or `'*'` for all requests. */
  readonly operation: FaultTarget;
  /** What goes wrong. */
  readonly fault: Fault;
  /**
   * Whether the fault applies only to the next request that matches. When a client retries that request, it gets the usual
   * response.
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
  /** The query parameters. Those that are integers in the contract are numbers. */
  readonly query: Readonly<Record<string, unknown>>;
  /** The parsed body, its text if it is not JSON, or `undefined` if there is none. */
  readonly body: unknown;
  /** All headers, including the key. */
  readonly headers: Headers;
}

/**
 * Decides whether a fault applies to a request, and which one.
 *
 * If it returns `undefined`, the next planned fault may apply to the request. If it returns a promise, the request waits
 * for it. If it throws, the response is a 500 that quotes the message.
 *
 * @example
 * ```ts
 * mock.faults.always('leads.create', ({ headers }) => (headers.has('x-tenant') ? undefined : { status: 400 }));
 * ```
 */
export type FaultFunction = (request: FaultRequest) => Fault | undefined | Promise<Fault | undefined>;

/** @throws A {@link MockError} `INVALID_ARGUMENT`, when it is neither an operation nor `*`. */
export const checkTarget = (target: unknown): void => {
  if (isObject(target)) {
    throw invalidArgument(
      "A fault is planned with the operation first: once('leads.create', { status: 503 }).",
    );
  }
  if (target !== '*') {
    checkOperation(target);
  }
};

const isJson = checkThat((body) => {
  try {
    return JSON.stringify(body) !== undefined;
  } catch {
    return false;
  }
}, 'a value that JSON can express');

/** Accepts headers without a key, because the list of faults must not show one. */
const areMatched: Check = (name, headers) => {
  const problem = areHeaders(name, headers);
  const secret = Object.keys(Object(headers)).find((header) => /^(?:x-api-key|authorization)$/i.test(header));
  return problem === undefined && secret !== undefined
    ? `\`${name}.${secret}\` must be left out, because it holds a key, and faults are listed. In the process of the mock, a fault can be a function, which receives all headers.`
    : problem;
};

/** The fields that say what goes wrong. */
const EFFECTS: Checks<Omit<Fault, 'match' | 'probability' | 'skip'>> = {
  status: integerBetween(200, 599),
  code: isString,
  headers: areHeaders,
  delayMs: isWait,
  bytesPerSecond: integerFrom(1),
  network: oneOf(...NETWORK_FAULTS),
  body: isJson,
};

const CHECKS: Checks<Fault> = {
  ...EFFECTS,
  match: objectOf<FaultMatch>('an object', { ...MATCH_CHECKS, headers: areMatched }),
  probability: checkThat(
    (value) => typeof value === 'number' && value >= 0 && value <= 1,
    'a number from 0 to 1',
  ),
  skip: integerFrom(0),
};

/**
 * Suggests `match` for the parts of a request, because the fault's own `headers` and `body` describe the response; and
 * several faults for a number.
 */
const hint = (name: string, known: readonly string[]): string => {
  if (/^retry-?after$/i.test(name)) {
    return "It is a header: { headers: { 'retry-after': '5' } }.";
  }
  if (/^(?:times|repeat)$/.test(name)) {
    return 'Plan the fault once for each request that it should apply to.';
  }
  return /^(?:params|query)$/.test(name)
    ? `It belongs in \`match\`: { match: { ${name}: { … } } }.`
    : suggestNameOrSynonym(name, known);
};

/** Shows a fault instead of what is not an object. */
const remedy = (given: unknown): string => (isObject(given) ? '' : ': pass { status: 503 }');

/** Describes a field that another field makes ineffective. Values are not shown, because headers may hold tokens. */
const conflict = (fault: Fault): string | undefined => {
  const { status = 500 } = fault;
  const given = (...names: readonly (keyof Fault)[]) => names.find((name) => fault[name] !== undefined);
  if (BODILESS_STATUSES.includes(status)) {
    const name =
      given('code', 'bytesPerSecond', 'network') ?? (fault.body === '' ? undefined : given('body'));
    return (
      name &&
      `\`fault.${name}\` would be ignored with \`status: ${status}\`, because its responses have no body.`
    );
  }
  if (fault.network === 'error' || fault.network === 'hang') {
    const name = given('status', 'code', 'headers', 'bytesPerSecond', 'body');
    return (
      name &&
      `\`fault.${name}\` would be ignored with \`network: '${fault.network}'\`, because there is no response. It goes with 'truncate', 'stall' or no \`network\`.`
    );
  }
  return fault.body !== undefined && given('code')
    ? '`fault.code` would be ignored with `fault.body`: write it into that body.'
    : undefined;
};

/**
 * @throws A {@link MockError} `INVALID_ARGUMENT`, when the fault has no effect, a field is unknown, or a value is
 * invalid or would be ignored.
 */
export const checkFault = (fault: Fault, target: FaultTarget = '*'): void => {
  throwIfInvalid(optionProblem('fault field', fault, CHECKS, { prefix: 'fault.', hint, remedy }));
  const effects = Object.keys(EFFECTS) as (keyof typeof EFFECTS)[];
  // With a fault that does nothing, a test would pass for the wrong reason.
  if (effects.every((name) => fault[name] === undefined)) {
    throw invalidArgument(
      `A fault must have at least one of ${effects.map((name) => `\`${name}\``).join(', ')}, such as { status: 503 } or { network: 'error' }.`,
    );
  }
  throwIfInvalid(conflict(fault));
  if (target !== '*' && fault.match !== undefined) {
    checkMatch(target, fault.match);
    checkValues('fault.match', target, fault.match);
  }
};

/** Copies a fault, so that it cannot become invalid later, and writes the names of its headers in lower case. */
export const copyFault = (fault: Fault): Fault => {
  const copy: Fault = JSON.parse(JSON.stringify(fault));
  if (copy.match?.headers === undefined) {
    return copy;
  }
  const headers = Object.entries(copy.match.headers).map(([name, value]) => [name.toLowerCase(), value]);
  return { ...copy, match: { ...copy.match, headers: Object.fromEntries(headers) } };
};
