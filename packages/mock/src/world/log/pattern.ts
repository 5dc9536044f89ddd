import type { Operation, OperationId } from '@confab/client/contract';
import { operations } from '@confab/client/contract';
import { objectOf, optionProblem, typeName } from '@confab/internal';
import type { Checks } from '../../errors/check.ts';
import {
  checkNames,
  checkObject,
  counted,
  integerFrom,
  isOperation,
  isString,
  must,
  oneOf,
  refuse,
  shown,
} from '../../errors/check.ts';
import { invalidArgument, MockError } from '../../errors/mock-error.ts';
import type { LoggedRequest } from './logged-request.ts';

/** Selects requests of the log by what they contain. Every part is optional. */
export interface RequestPattern {
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
  /** Only requests with these path parameters, and perhaps others. */
  readonly params?: Readonly<Record<string, string>> | undefined;
  /** Only requests with these query parameters, and perhaps others. The contract's integers are numbers: `limit: 10`. */
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Only requests with this body. A body may have more fields than an object here, at every level; arrays and other
   * values must be equal.
   */
  readonly body?: unknown;
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

const isObject = (value: unknown): value is object => typeName(value) === 'an object';

const areFields = must(isObject, "an object, such as { id: '…' }");

/** Whether JSON can express a value. No request has any other, such as a matcher of a test runner. */
const isJson = (value: unknown): boolean =>
  isObject(value) || Array.isArray(value)
    ? Object.values(value).every(isJson)
    : value === null || !/^(?:object|function|symbol|bigint)$/.test(typeof value);

/** A pattern, for messages. */
export const EXAMPLE = "{ operation: 'leads.create' }";

const isCount = integerFrom(0);

const isMethod = oneOf('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT');

export const PATTERN: Checks<RequestPattern> = {
  operation: isOperation,
  method: (name, value) => isString(name, value) ?? isMethod(name, String(value).toUpperCase()),
  path: isString,
  status: must(Number.isInteger, 'a whole number, such as 429'),
  keyId: isString,
  params: areFields,
  query: areFields,
  body: must(isJson, 'a value that JSON can express'),
};

const EXPECTATION: Checks<RequestExpectation> = {
  ...PATTERN,
  times: (name, value) =>
    typeof value === 'object'
      ? objectOf<object>('a number of requests, or { min, max }', { min: isCount, max: isCount })(name, value)
      : isCount(name, value),
  atLeast: isCount,
  atMost: isCount,
};

/** Whether a value equals another, or contains it, if both are objects. Arrays must be of the same length. */
const contains = (value: unknown, wanted: unknown): boolean => {
  if (typeof wanted !== 'object' || wanted === null) {
    return Object.is(value, wanted);
  }
  const fields: Readonly<Record<string, unknown>> = Object(value);
  return (
    typeName(value) === typeName(wanted) &&
    (!Array.isArray(wanted) || wanted.length === fields.length) &&
    Object.entries(wanted).every(
      ([name, part]) => part === undefined || (Object.hasOwn(fields, name) && contains(fields[name], part)),
    )
  );
};

/**
 * Refuses misspelled fields, with which `times: 0` or `not.toHaveReceived` would be met for the wrong reason.
 *
 * @param sent Fields that requests had: those that the contract does not know are known too.
 * @throws {@link MockError} `INVALID_ARGUMENT`, when neither the contract nor any request has a field.
 */
export const checkFields = (
  operation: OperationId,
  parts: readonly ('params' | 'query' | 'body')[],
  wanted: object,
  sent: readonly unknown[],
): void => {
  const contract: Operation = operations[operation];
  const known = parts.flatMap((part) => Object.keys(contract[part]?.shape ?? {}));
  const names = sent.flatMap((values) => Object.keys(Object(values)));
  checkNames(`field of ${operation}`, wanted, [...new Set([...known, ...names])]);
};

/**
 * The requests that match a pattern.
 *
 * @throws {@link MockError} `INVALID_ARGUMENT`, when a field or operation is unknown, or a value invalid.
 */
export const matching = (
  requests: readonly LoggedRequest[],
  pattern: RequestPattern,
): readonly LoggedRequest[] => {
  checkObject('requests.count()', pattern, EXAMPLE);
  refuse(optionProblem('field of a request pattern', pattern, PATTERN));
  const { operation, method } = pattern;
  const sent = requests.filter((request) => request.operation === operation);
  for (const part of ['params', 'query', 'body'] as const) {
    const fields = pattern[part];
    if (operation !== undefined && isObject(fields)) {
      checkFields(
        operation,
        [part],
        fields,
        sent.map((request) => request[part]),
      );
    }
  }
  const wanted = { ...pattern, method: method?.toUpperCase() };
  return requests.filter((request) => contains(request, wanted));
};

/** Characters of a request or a pattern in a message. */
const MAX_SHOWN_LENGTH = 300;

/** The least and the greatest number of requests that must match. */
const boundsOf = ({ times, atLeast, atMost }: RequestExpectation): readonly [min: number, max: number] => {
  if (times !== undefined && (atLeast !== undefined || atMost !== undefined)) {
    throw invalidArgument('requests.verify() was called with `times` and a range. Pass only one of them.');
  }
  const range = typeof times === 'object' ? times : { min: times ?? atLeast, max: times ?? atMost };
  const { min = range.max === undefined ? 1 : 0, max = Number.POSITIVE_INFINITY } = range;
  if (min > max) {
    throw invalidArgument(`requests.verify() was called with at least ${min} and at most ${max} requests`);
  }
  return [min, max];
};

const wantedText = (min: number, max: number): string => {
  if (min === max) {
    return `exactly ${counted(min, 'request')}`;
  }
  if (max === Number.POSITIVE_INFINITY) {
    return `at least ${counted(min, 'request')}`;
  }
  return min === 0 ? `at most ${counted(max, 'request')}` : `${min} to ${counted(max, 'request')}`;
};

/** The latest request of the same operation, which shows how the expected one differs. */
const latestText = (requests: readonly LoggedRequest[], { operation, keyId }: RequestPattern): string => {
  const latest = requests.findLast((request) => operation === undefined || request.operation === operation);
  if (latest === undefined) {
    return requests.length === 0
      ? 'The mock received no requests.'
      : `The mock received ${counted(requests.length, 'request')}, but no ${operation}.`;
  }
  const { method, path, query, body, status } = latest;
  const facts = { query, body, status, ...(keyId !== undefined && { keyId: latest.keyId }) };
  return `The latest ${operation ?? 'request'} was ${method} ${path} with ${shown(facts, MAX_SHOWN_LENGTH)}.`;
};

/**
 * Checks how many requests match a pattern, and returns their number.
 *
 * @throws {@link MockError} `VERIFICATION_FAILED`, when too few or too many match.
 * @throws {@link MockError} `INVALID_ARGUMENT`, when the expectation is invalid.
 */
export const verify = (requests: readonly LoggedRequest[], expectation: RequestExpectation): number => {
  checkObject('requests.verify()', expectation, EXAMPLE);
  refuse(optionProblem('field of requests.verify()', expectation, EXPECTATION));
  const [min, max] = boundsOf(expectation);
  const { times: _, atLeast: __, atMost: ___, ...pattern } = expectation;
  const count = matching(requests, pattern).length;
  if (count >= min && count <= max) {
    return count;
  }
  const hint = count < min ? ` ${latestText(requests, pattern)}` : '';
  throw new MockError(
    'VERIFICATION_FAILED',
    `Expected ${wantedText(min, max)} matching ${shown(pattern, MAX_SHOWN_LENGTH)}, but ${count} matched.${hint}`,
  );
};
