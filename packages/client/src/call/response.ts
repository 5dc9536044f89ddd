import { isObject, typeName } from '@confab/internal';
import * as z from 'zod/mini';
import { PaginationMetaSchema } from '../contract/envelope.ts';
import { describeIssues } from '../contract/issues.ts';
import { operations } from '../contract/operations.ts';
import type { Issue, OperationId, OperationResponses, PaginationMeta } from '../contract/types.ts';
import { InvalidResponseError } from '../errors/index.ts';
import type { ValidationMode } from '../options/client-options.ts';
import type { Reporter } from '../options/reporter.ts';
import type { AttemptOutcome } from './attempt.ts';
import type { FailedCall } from './call-errors.ts';
import { bodyOf, describeBody, redirectError, statusError, toApiError, toError } from './call-errors.ts';
import type { ApiResponse } from './call-result.ts';

/** Maximum number of issues to report: ten megabytes of wrong rows contain millions. */
const MAX_ISSUES = 100;

/**
 * Finds where the body of a success differs from the contract. Issues name types and never values, because responses contain
 * personal data.
 *
 * It parses lists row by row, so that it can stop at the last issue to report.
 */
const checkResponse = (id: OperationId, body: unknown): Issue[] => {
  const issues: Issue[] = [];

  const parse = (part: z.core.$ZodType, value: unknown, path: string): void => {
    const { error } = z.safeParse(part, value);
    if (error) {
      issues.push(...describeIssues(error, value, path, typeName));
    }
  };

  const check = (part: z.core.$ZodType, value: unknown, path: string): void => {
    if (part instanceof z.ZodMiniArray && Array.isArray(value)) {
      for (let index = 0; index < value.length && issues.length < MAX_ISSUES; index += 1) {
        parse(part.def.element, value[index], `${path}[${index}]`);
      }
    } else if (part instanceof z.ZodMiniObject && isObject(value) && !Array.isArray(value)) {
      for (const [name, field] of Object.entries(part.shape)) {
        check(field, Reflect.get(value, name), path === '' ? name : `${path}.${name}`);
      }
    } else {
      parse(part, value, path);
    }
  };

  check(operations[id].response, body, '');
  return issues.slice(0, MAX_ISSUES);
};

/** The body of a successful response. Whoever expects `meta` checks it. */
export interface SuccessEnvelope {
  readonly success: true;
  readonly data: unknown;
  readonly meta?: unknown;
}

/** Returns the `success` field, which every response of the API has and a proxy's error page does not. */
export const successOf = (body: unknown): unknown =>
  typeof body === 'object' && body !== null ? Reflect.get(body, 'success') : undefined;

/**
 * Makes the response of a call of the outcome of its last attempt.
 *
 * @throws {@link ConfabError} When the outcome is not a response with a status of 2xx.
 */
export const toResponse = (
  outcome: AttemptOutcome,
  call: FailedCall,
  validation: ValidationMode,
): ApiResponse => {
  if (outcome.kind !== 'response') {
    throw toError(outcome, call);
  }
  const { status, headers, text, body, redirected, rateLimit } = outcome;
  const { operation, label } = call.request;
  const { attempts, redact } = call;
  const response = { operation, label, attempts, status, headers, text, body, redact, validation };
  if (redirected) {
    throw redirectError(response);
  }
  if (status >= 400) {
    throw toApiError(response, rateLimit, call);
  }
  if (status < 200 || status >= 300) {
    throw statusError(response);
  }
  return response;
};

/** @throws {@link InvalidResponseError} When the body is not a success envelope. */
export const readEnvelope = (response: ApiResponse): SuccessEnvelope => {
  const { operation, label, status, body } = response;
  if (successOf(body) === true && 'data' in (body as object)) {
    return body as SuccessEnvelope;
  }
  throw new InvalidResponseError(
    body === undefined
      ? `${label} returned ${status} with ${describeBody(response)}, which is not JSON. Is \`baseUrl\` the URL of the service?`
      : `${label} returned ${status} without \`success: true\` and \`data\`: ${describeBody(response)}.`,
    { operation, status, body: bodyOf(response) },
  );
};

/**
 * Reports or throws the issues of a response, as `validation` says.
 *
 * @throws {@link InvalidResponseError} When `validation` is `'strict'` and there are issues.
 */
export const handleIssues = (issues: readonly Issue[], response: ApiResponse, report: Reporter): void => {
  const { operation, status, validation } = response;
  if (validation === 'off' || issues.length === 0) {
    return;
  }
  if (validation === 'warn') {
    report.emit('onDrift', { operation, issues });
    return;
  }
  throw new InvalidResponseError(`The response of ${operation} breaks the contract.`, {
    operation,
    status,
    issues,
    body: bodyOf(response),
  });
};

/**
 * Reads the body of an operation's successful response and checks it against the contract. Unknown fields are kept.
 *
 * @throws {@link InvalidResponseError} When the body is not a success envelope, or breaks the contract and `validation`
 * is `'strict'`.
 */
export const readData = <Id extends OperationId>(
  response: ApiResponse,
  report: Reporter,
): OperationResponses[Id] => {
  const envelope = readEnvelope(response);
  if (response.validation !== 'off') {
    handleIssues(checkResponse(response.operation as Id, envelope), response, report);
  }
  // Unless `validation` is `'strict'`, the service may have broken the contract that this type promises.
  return envelope as OperationResponses[Id];
};

/** Returns the position of a page in its list; undefined when the service sent none, or a malformed one. */
export const readMeta = ({ meta }: { readonly meta?: unknown }): PaginationMeta | undefined =>
  PaginationMetaSchema.safeParse(meta).data;
