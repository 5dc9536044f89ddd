import { typeName } from '@confab/internal';
import * as z from 'zod/mini';
import { describeIssues } from '../contract/issues.ts';
import type { Issue, OperationId, OperationResponses } from '../contract/types.ts';
import { InvalidResponseError } from '../errors/index.ts';
import type { Reporter } from '../hooks/reporter.ts';
import { describeUnknownOutcome } from './call-errors.ts';
import { describeBody, redactBody } from './describe-body.ts';
import type { ApiResponse } from './types.ts';

/** The body of a successful response. Callers that expect `meta` check it. */
export interface SuccessEnvelope {
  readonly success: true;
  readonly data: unknown;
  readonly meta?: unknown;
}

/** @throws An {@link InvalidResponseError} when the body is not a success envelope. */
export const readEnvelope = (response: ApiResponse): SuccessEnvelope => {
  const { status, body, running } = response;
  if (Object(body).success === true && 'data' in Object(body)) {
    return body as SuccessEnvelope;
  }
  const { operation, label } = running.request;
  const warning = describeUnknownOutcome(running);
  throw new InvalidResponseError(
    body === undefined
      ? `${label} returned ${status} with ${describeBody(response)}, which is not JSON. Is \`baseUrl\` the URL of the service?${warning}`
      : `${label} returned ${status} without \`success: true\` and \`data\`: ${describeBody(response)}.${warning}`,
    { operation, status, body: redactBody(response) },
  );
};

/**
 * Reports or throws the issues of a response, as `validation` says.
 *
 * @throws An {@link InvalidResponseError} when `validation` is `'strict'`.
 */
export const handleIssues = (issues: readonly Issue[], response: ApiResponse, reporter: Reporter): void => {
  const { status, running } = response;
  const { operation } = running.request;
  const { validation } = running.options;
  if (validation === 'strict') {
    const message = `The response of ${operation} breaks the contract.${describeUnknownOutcome(running)}`;
    throw new InvalidResponseError(message, { operation, status, issues, body: redactBody(response) });
  }
  if (validation === 'warn') {
    reporter.emit('onDrift', { operation, issues });
  }
};

/** Characters of a body to check as a whole. */
const MAX_PARSED = 50_000;

/** Maximum number of issues to report. */
const MAX_ISSUES = 100;

/**
 * Finds where a value differs from its schema. Issues name types and never values, because responses contain personal
 * data. Lists are parsed row by row, so that the search can stop early: ten megabytes of wrong rows contain a million issues,
 * which would overflow the stack of zod.
 */
function* findIssues(schema: z.core.$ZodType, value: unknown, path: string): Generator<Issue, void> {
  if (
    schema instanceof z.ZodMiniObject &&
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value)
  ) {
    for (const [name, field] of Object.entries(schema.shape)) {
      yield* findIssues(field, Reflect.get(value, name), path === '' ? name : `${path}.${name}`);
    }
    return;
  }
  const list = schema instanceof z.ZodMiniArray && Array.isArray(value) ? schema : undefined;
  for (const [index, part] of (list ? (value as unknown[]) : [value]).entries()) {
    const { error } = z.safeParse(list?.def.element ?? schema, part);
    if (error) {
      yield* describeIssues(error, part, list ? `${path}[${index}]` : path, typeName);
    }
  }
}

/**
 * Checks the envelope of an operation's successful response against the contract, and returns it with unknown fields.
 *
 * @throws An {@link InvalidResponseError} when the body is not a success envelope, or breaks the contract and
 * `validation` is `'strict'`.
 */
export const checkEnvelope = <Id extends OperationId>(
  response: ApiResponse,
  reporter: Reporter,
): OperationResponses[Id] => {
  const { text = '', running } = response;
  const envelope = readEnvelope(response);
  const schema = running.operation.response as z.ZodMiniType;
  // A single parse is enough for a valid body. A long text skips it, because it could collect too many issues.
  const isFine =
    running.options.validation === 'off' || (text.length <= MAX_PARSED && schema.safeParse(envelope).success);
  if (!isFine) {
    const issues: Issue[] = [];
    for (const issue of findIssues(schema, envelope, '')) {
      issues.push(issue);
      if (issues.length === MAX_ISSUES) {
        break;
      }
    }
    if (issues.length > 0) {
      handleIssues(issues, response, reporter);
    }
  }
  // Unless `validation` is `'strict'`, the service may have broken the contract that this type promises.
  return envelope as OperationResponses[Id];
};
