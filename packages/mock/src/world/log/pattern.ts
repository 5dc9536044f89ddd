import type { OperationId } from '@confab/client/contract';
import { integerFrom, objectOf, oneOf, optionProblem } from '@confab/internal';
import type { Check, Checks } from '../../errors/check.ts';
import {
  checkObject,
  checkThat,
  formatValue,
  isOperation,
  isString,
  pluralize,
  throwIfInvalid,
} from '../../errors/check.ts';
import { invalidArgument, MockError } from '../../errors/mock-error.ts';
import type { RequestMatch } from '../matching/request-match.ts';
import { checkMatch, contains, MATCH_CHECKS } from '../matching/request-match.ts';
import type { LoggedRequest } from './logged-request.ts';

/** Selects requests of the log. Every part is optional. */
export interface RequestPattern extends RequestMatch {
  /** Only requests of this operation. */
  readonly operation?: OperationId | undefined;
  /** Only requests with this method. */
  readonly method?: string | undefined;
  /** Only requests to this path below the base URL: `/api/v2/public/leads`. */
  readonly path?: string | undefined;
  /** Only requests whose response has this status. */
  readonly status?: number | undefined;
  /** Only requests of the key with this id. */
  readonly keyId?: string | undefined;
}

/** A {@link RequestPattern}, and how many requests must match it. */
export interface RequestExpectation extends RequestPattern {
  /** Exactly this many requests, or a range: `{ min: 2 }`, `{ max: 3 }`, or both. */
  readonly times?:
    | number
    | {
        /** This many requests or more. */
        readonly min?: number | undefined;
        /** This many requests or fewer. */
        readonly max?: number | undefined;
      }
    | undefined;
  /**
   * This many requests or more.
   * @default 1, unless `times` or `atMost` is given
   */
  readonly atLeast?: number | undefined;
  /** This many requests or fewer. */
  readonly atMost?: number | undefined;
}

/** An example of a pattern, for messages. */
export const PATTERN_EXAMPLE = "{ operation: 'leads.create' }";

const isCount = integerFrom(0);

const isMethod = oneOf('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT');

export const PATTERN_CHECKS: Checks<RequestPattern> = {
  operation: isOperation,
  method: (name, value) => isString(name, value) ?? isMethod(name, String(value).toUpperCase()),
  path: isString,
  status: checkThat(Number.isInteger, 'a whole number, such as 429'),
  keyId: isString,
  ...MATCH_CHECKS,
};

/** Accepts the `times` of an expectation. */
export const isTimes: Check = (name, value) =>
  typeof value === 'object'
    ? objectOf<object>('a number of requests, or { min, max }', { min: isCount, max: isCount })(name, value)
    : isCount(name, value);

const EXPECTATION: Checks<RequestExpectation> = {
  ...PATTERN_CHECKS,
  times: isTimes,
  atLeast: isCount,
  atMost: isCount,
};

/**
 * Returns the requests that match a pattern.
 *
 * @throws A {@link MockError} `INVALID_ARGUMENT`, when a field or operation is unknown, or a value invalid.
 */
export const filterRequests = (
  requests: readonly LoggedRequest[],
  pattern: RequestPattern,
): readonly LoggedRequest[] => {
  checkObject('requests.count()', pattern, PATTERN_EXAMPLE);
  throwIfInvalid(optionProblem('request pattern field', pattern, PATTERN_CHECKS));
  const { operation, method } = pattern;
  if (operation !== undefined) {
    checkMatch(
      operation,
      pattern,
      requests.filter((request) => request.operation === operation),
    );
  }
  const wanted = { ...pattern, method: method?.toUpperCase() };
  return requests.filter((request) => contains(request, wanted));
};

/** How many characters of a request or a pattern a message shows. */
const MAX_SHOWN_LENGTH = 300;

/**
 * Returns the smallest and the largest number of requests that may match.
 *
 * @param call The name of the called function, for messages.
 * @throws A {@link MockError} `INVALID_ARGUMENT`, when the range is empty.
 */
export const toBounds = (
  call: string,
  { times, atLeast, atMost }: Pick<RequestExpectation, 'times' | 'atLeast' | 'atMost'>,
): readonly [min: number, max: number] => {
  if (times !== undefined && (atLeast !== undefined || atMost !== undefined)) {
    throw invalidArgument(`${call} was called with \`times\` and a range. Pass only one of them.`);
  }
  const range = typeof times === 'object' ? times : { min: times ?? atLeast, max: times ?? atMost };
  const { min = range.max === undefined ? 1 : 0, max = Number.POSITIVE_INFINITY } = range;
  if (min > max) {
    throw invalidArgument(`${call} was called with at least ${min} and at most ${max} requests.`);
  }
  return [min, max];
};

export const describeBounds = (min: number, max: number): string => {
  if (min === max) {
    return `exactly ${pluralize(min, 'request')}`;
  }
  if (max === Number.POSITIVE_INFINITY) {
    return `at least ${pluralize(min, 'request')}`;
  }
  return min === 0 ? `at most ${pluralize(max, 'request')}` : `${min} to ${pluralize(max, 'request')}`;
};

/** Describes the latest request of the same operation, so that the reader sees how it differs. */
const describeLatest = (requests: readonly LoggedRequest[], { operation, keyId }: RequestPattern): string => {
  const latest = requests.findLast((request) => operation === undefined || request.operation === operation);
  if (latest === undefined) {
    return requests.length === 0
      ? 'The mock received no requests.'
      : `The mock received ${pluralize(requests.length, 'request')}, but no ${operation}.`;
  }
  const { method, path, query, body, status } = latest;
  const facts = { query, body, status, ...(keyId !== undefined && { keyId: latest.keyId }) };
  return `The latest ${operation ?? 'request'} was ${method} ${path} with ${formatValue(facts, MAX_SHOWN_LENGTH)}.`;
};

/**
 * Checks how many requests match a pattern, and returns their number.
 *
 * @throws A {@link MockError} `VERIFICATION_FAILED`, when too few or too many match.
 * @throws A {@link MockError} `INVALID_ARGUMENT`, when the expectation is invalid.
 */
export const verify = (requests: readonly LoggedRequest[], expectation: RequestExpectation): number => {
  checkObject('requests.verify()', expectation, PATTERN_EXAMPLE);
  throwIfInvalid(optionProblem('requests.verify() field', expectation, EXPECTATION));
  const [min, max] = toBounds('requests.verify()', expectation);
  const { times: _, atLeast: __, atMost: ___, ...pattern } = expectation;
  const count = filterRequests(requests, pattern).length;
  if (count >= min && count <= max) {
    return count;
  }
  const hint = count < min ? ` ${describeLatest(requests, pattern)}` : '';
  throw new MockError(
    'VERIFICATION_FAILED',
    `Expected ${describeBounds(min, max)} matching ${formatValue(pattern, MAX_SHOWN_LENGTH)}, but ${count} matched.${hint}`,
  );
};
