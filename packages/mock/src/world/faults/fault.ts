import type { OperationId } from '@confab/client/contract';
import { integerFrom, objectOf, oneOf, optionProblem, suggestNameOrSynonym } from '@confab/internal';
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
   * The code in the body of the error response. The operation does not run; without `status`, the status is 500. It must be
   * left out beside `body`.
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
   * How fast the body is sent, in bytes per second on the mock's clock: a whole number. It is sent in 100 pieces at most,
   * each at the time at which a connection of that speed would have brought its last byte.
   * @default no limit
   */
  readonly bytesPerSecond?: number | undefined;
  /**
   * How the connection fails.
   *
   * - `'error'`: it breaks before the operation runs.
   * - `'hang'`: no response ever arrives.
   * - `'truncate'`: the operation runs, but the connection breaks in the middle of the response.
   * - `'stall'`: the operation runs, but the second half of the response never arrives.
   *
   * With `'error'` and `'hang'` there is no response, so a fault with one of them must not describe it: of the other effects
   * it may have only `delayMs`.
   */
  readonly network?: (typeof NETWORK_FAULTS)[number] | undefined;
  /**
   * The body of the response. A string is sent as it is, even if it is not JSON; anything else is sent as JSON. The
   * operation does not run; without `status`, the status is that of its success.
   */
  readonly body?: unknown;
  /**
   * The requests of the operation that it strikes; others neither get it nor use it up. Parameters and fields must be those
   * of the operation, and have values that it can have. A fault that a function returns must not have it.
   * @default all requests of the operation
   */
  readonly match?: FaultMatch | undefined;
  /**
   * The probability that a request gets the fault, from 0 to 1. The same seed draws the same requests.
   * @default 1
   */
  readonly probability?: number | undefined;
  /**
   * How many matching requests pass before the fault takes effect: `once` with `skip: 2` strikes the third request.
   * A fault that a function returns must not have it.
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
  /** How many requests got it so far, or how often its function was asked. */
  readonly used: number;
  /** Whether the option `data` planned it, and not the test. */
  readonly fromData: boolean;
}

/** A fault to plan, as requests and data files write it. */
export interface FaultPlan {
  /** The operation whose requests get it, or `'*'` for all requests. */
  readonly operation: FaultTarget;
  /** What goes wrong. */
  readonly fault: Fault;
  /**
   * Whether only the next request that matches gets it. A client that repeats the request gets the usual response then.
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

const isJson = checkThat((body) => {
  try {
    return JSON.stringify(body) !== undefined;
  } catch {
    return false;
  }
}, 'a value that JSON can express');

/** Accepts headers, except those that carry a key: a list of faults must not reveal it. */
const areMatched: Check = (name, headers) => {
  const problem = areHeaders(name, headers);
  const secret = Object.keys(Object(headers)).find((header) => /^(?:x-api-key|authorization)$/i.test(header));
  return problem === undefined && secret !== undefined
    ? `\`${name}.${secret}\` must be left out, because faults are listed, and it holds a key. In the process of the mock, a fault can be a function, which sees all headers.`
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

/** Parts of a request belong in `match`. The fault's own `headers` and `body` describe the response. */
const hint = (name: string, known: readonly string[]): string =>
  /^(?:params|query)$/.test(name)
    ? `It belongs in \`match\`: { match: { ${name}: { … } } }.`
    : suggestNameOrSynonym(name, known);

/** Describes a field that would be ignored beside another, without its value: headers may hold tokens. */
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
 * @throws {@link MockError} `INVALID_ARGUMENT`, when it has no effect, a field is unknown, a value is invalid, or one would
 * be ignored.
 */
export const checkFault = (fault: Fault, target: FaultTarget = '*'): void => {
  throwIfInvalid(optionProblem('fault field', fault, CHECKS, { prefix: 'fault.', hint }));
  const effects = Object.keys(EFFECTS) as (keyof typeof EFFECTS)[];
  // A test with a fault without effect would pass for the wrong reason.
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

/** A copy, so that a later change can't make a checked fault invalid, with the names of headers as requests have them. */
export const copyFault = (fault: Fault): Fault => {
  const copy: Fault = JSON.parse(JSON.stringify(fault));
  if (copy.match?.headers === undefined) {
    return copy;
  }
  const headers = Object.entries(copy.match.headers).map(([name, value]) => [name.toLowerCase(), value]);
  return { ...copy, match: { ...copy.match, headers: Object.fromEntries(headers) } };
};
