import type { Operation, OperationId } from '@confab/client/contract';
import { describeIssues, operations } from '@confab/client/contract';
import { isPlainObject, typeName } from '@confab/internal';
import * as z from 'zod/mini';
import type { Check, Checks } from '../../errors/check.ts';
import { checkNames, checkThat, firstProblem, isString, throwIfInvalid } from '../../errors/check.ts';

/** Selects requests by their parameters and bodies. Every part is optional. */
export interface RequestMatch {
  /** Only requests with these path parameters. They may have others too. */
  readonly params?: Readonly<Record<string, string>> | undefined;
  /** Only requests with these query parameters. They may have others too. Integers are numbers: `limit: 10`. */
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Only requests with this body. Objects in the body may have more fields than the objects here, at every level. Arrays
   * and other values must be equal.
   */
  readonly body?: unknown;
}

/** The requests that a fault applies to, as a pattern of `requests.verify()`. Every part is optional. */
export interface FaultMatch extends RequestMatch {
  /**
   * Only requests with these headers. They may have others too. Names may have any case, and values must be equal. Headers
   * that hold the key are refused, because faults are listed and logged.
   */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** The parts of a request that a {@link FaultMatch} reads. */
type MatchedRequest = Required<RequestMatch> & { readonly headers: Headers };

/** Accepts an object whose fields all pass a check. */
const everyField =
  (check: Check): Check =>
  (name, value) =>
    checkThat(isPlainObject, "an object, such as { id: '…' }")(name, value) ??
    firstProblem(value as object, (field, part) => check(`${name}.${field}`, part));

/** Whether JSON can express a value: a request has no others, such as a matcher of a test runner. */
const isJson = (value: unknown): boolean =>
  isPlainObject(value) || Array.isArray(value)
    ? Object.values(value).every(isJson)
    : value === null || !/^(?:object|function|symbol|bigint)$/.test(typeof value);

export const MATCH_CHECKS: Checks<RequestMatch> = {
  params: everyField(isString),
  query: everyField(checkThat((value) => /^(?:string|number)$/.test(typeof value), 'a string or a number')),
  body: checkThat(isJson, 'a value that JSON can express'),
};

/** Whether a value equals another. An object may have more fields than the wanted one; arrays must have the same length. */
export const contains = (value: unknown, wanted: unknown): boolean => {
  if (typeof wanted !== 'object' || wanted === null) {
    return value === wanted;
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

/** Whether a request matches a pattern. Only the parts in the pattern are read, because parsing a body takes time. */
export const matchesRequest = (request: MatchedRequest, match: FaultMatch): boolean => {
  const { params = {}, query = {}, headers = {}, body } = match;
  return (
    contains(request.params, params) &&
    contains(request.query, query) &&
    Object.entries(headers).every(([name, value]) => request.headers.get(name) === value) &&
    (body === undefined || contains(request.body, body))
  );
};

/**
 * Refuses misspelled fields, with which `times: 0` or `not.toHaveReceived` would pass for the wrong reason.
 *
 * @param sent Parts of the requests that were received: their fields are known too.
 * @throws A {@link MockError} `INVALID_ARGUMENT`, when neither the contract nor any request has a field.
 */
export const checkFields = (
  operation: OperationId,
  parts: readonly (keyof RequestMatch)[],
  wanted: object,
  sent: readonly unknown[] = [],
): void => {
  const contract: Operation = operations[operation];
  const known = parts.flatMap((part) => Object.keys(contract[part]?.shape ?? {}));
  const names = sent.flatMap((values) => Object.keys(Object(values)));
  checkNames(`${operation} field`, wanted, [...new Set([...known, ...names])]);
};

/** Describes a string in place of one of the contract's numbers, or a number in place of a string, which no request has. */
const typeProblem = (operation: Operation, name: string, value: unknown): string | undefined => {
  const schema = operation.query?.shape[name];
  const other = typeof value === 'number' ? String(value) : Number(value);
  const isOther =
    schema !== undefined && !z.safeParse(schema, value).success && z.safeParse(schema, other).success;
  return isOther ? checkThat(() => false, JSON.stringify(other))(`query.${name}`, value) : undefined;
};

/**
 * Checks the fields of each part of a pattern, and the types in its query.
 *
 * @param sent Requests of the operation.
 * @throws A {@link MockError} `INVALID_ARGUMENT`, when no request of the operation could match.
 */
export const checkMatch = (
  operation: OperationId,
  match: RequestMatch,
  sent: readonly RequestMatch[] = [],
): void => {
  for (const part of Object.keys(MATCH_CHECKS) as (keyof RequestMatch)[]) {
    const fields = match[part];
    if (isPlainObject(fields)) {
      checkFields(
        operation,
        [part],
        fields,
        sent.map((request) => request[part]),
      );
    }
  }
  for (const [name, value] of Object.entries(match.query ?? {})) {
    throwIfInvalid(typeProblem(operations[operation], name, value));
  }
};

/**
 * Refuses strings that the contract excludes for a parameter or field: a fault with such a `match` would never apply.
 *
 * @param name The name of the pattern in messages: `fault.match`.
 * @throws A {@link MockError} `INVALID_ARGUMENT`, when no valid request of the operation has a value.
 */
export const checkValues = (name: string, operation: OperationId, match: RequestMatch): void => {
  const contract: Operation = operations[operation];
  for (const part of Object.keys(MATCH_CHECKS) as (keyof RequestMatch)[]) {
    const fields = isPlainObject(match[part]) ? Object.entries(match[part]) : [];
    for (const [field, value] of fields) {
      const schema = contract[part]?.shape[field];
      const error = typeof value === 'string' && schema ? z.safeParse(schema, value).error : undefined;
      const [issue] = error ? describeIssues(error, value, `${name}.${part}.${field}`) : [];
      throwIfInvalid(issue && `\`${issue.path}\` ${issue.message}`);
    }
  }
};
