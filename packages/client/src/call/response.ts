import { typeName } from '@confab/internal';
import * as z from 'zod/mini';
import { describeIssues } from '../contract/issues.ts';
import type { Issue, OperationId, OperationResponses } from '../contract/types.ts';
import { InvalidResponseError } from '../errors/index.ts';
import type { Reporter } from '../hooks/reporter.ts';
import { readRateLimit } from '../rate-limit/response-headers.ts';
import type { Redact } from '../secrecy/safe-cause.ts';
import type { Clock } from '../time/clock.ts';
import type { TimeLimit } from '../time/time-limit.ts';
import { warningOf } from './call-errors.ts';
import { bodyOf, describeBody } from './describe-body.ts';
import type { ReceivedOutcome } from './outcome.ts';
import type { ApiResponse } from './types.ts';

/** Characters to keep of a body that is too large: enough for a message, although redaction leaves out the end. */
const MAX_OVERSIZED_TEXT = 4_000;

/**
 * Reads a body as UTF-8, and stops as soon as it is larger than `maxBytes`. Bytes are counted after decompression: a few
 * kilobytes of gzip can expand to gigabytes.
 *
 * @returns The text, or only its beginning when the body is larger than allowed.
 */
export const readBody = async (
  response: Response,
  maxBytes: number,
  onStop: TimeLimit['onStop'],
): Promise<{ readonly text: string; readonly isComplete: boolean }> => {
  // Some runtimes and substitutes for `Response` have no readable stream.
  const reader = typeof TextDecoder === 'function' ? response.body?.getReader?.() : undefined;
  if (reader === undefined) {
    const text = await response.text();
    const isComplete = new Blob([text]).size <= maxBytes;
    return { text: isComplete ? text : text.slice(0, MAX_OVERSIZED_TEXT), isComplete };
  }
  // Not awaited: some streams never finish being canceled.
  const cancel = () => void reader.cancel().catch(() => {});
  // A user's `fetch` may ignore its signal, and its body would keep the connection.
  onStop(cancel);
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      return { text: text + decoder.decode(), isComplete: true };
    }
    size += value.byteLength;
    if (size > maxBytes) {
      cancel();
      text += decoder.decode(value.subarray(0, MAX_OVERSIZED_TEXT));
      return { text: text.slice(0, MAX_OVERSIZED_TEXT), isComplete: false };
    }
    text += decoder.decode(value, { stream: true });
  }
};

/**
 * Converts a response to plain data.
 *
 * @param text Undefined when the body was cut off.
 */
export const toOutcome = (
  response: Response,
  text: string | undefined,
  redact: Redact,
  clock: Clock,
): ReceivedOutcome => {
  const { status, type } = response;
  // One search of all headers is enough for most responses.
  const entries = [...response.headers];
  const all = entries.join('\n');
  const isClean = redact(all) === all;
  const headers: Record<string, string> = {};
  for (const [name, value] of entries) {
    if (name !== 'set-cookie') {
      headers[isClean ? name : redact(name)] = isClean ? value : redact(value);
    }
  }
  // A user's `fetch` may have followed a redirect. Browsers hide one that was not followed behind the status 0.
  const redirected =
    response.redirected || type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== 304);
  let body: unknown;
  try {
    body = text === undefined ? undefined : JSON.parse(text);
  } catch {
    // The code that needs the data reports that it is missing.
  }
  // 408: the service stopped waiting for the rest of a request, but may have acted on what it had read. Any other status
  // from 300 to 499 refuses the request.
  const doubt = !redirected && (status < 300 || status === 408 || status >= 500);
  const isFromApi = typeof Object(body).success === 'boolean';
  const rateLimit = readRateLimit(headers, clock);
  return { kind: 'response', doubt, status, redirected, headers, text, body, isFromApi, rateLimit, redact };
};

/** Some substitutes for `fetch` have a `Response` of their own. */
export const isResponse = (value: unknown): value is Response => {
  const { text, headers } = Object(value);
  return typeof text === 'function' && Symbol.iterator in Object(headers);
};

/** The body of a successful response. Callers that expect `meta` check it. */
export interface SuccessEnvelope {
  readonly success: true;
  readonly data: unknown;
  readonly meta?: unknown;
}

/** @throws {@link InvalidResponseError} When the body is not a success envelope. */
export const readEnvelope = (response: ApiResponse): SuccessEnvelope => {
  const { status, body, running } = response;
  if (Object(body).success === true && 'data' in Object(body)) {
    return body as SuccessEnvelope;
  }
  const { operation, label } = running.request;
  const warning = warningOf(running);
  throw new InvalidResponseError(
    body === undefined
      ? `${label} returned ${status} with ${describeBody(response)}, which is not JSON. Is \`baseUrl\` the URL of the service?${warning}`
      : `${label} returned ${status} without \`success: true\` and \`data\`: ${describeBody(response)}.${warning}`,
    { operation, status, body: bodyOf(response) },
  );
};

/**
 * Reports or throws the issues of a response, as `validation` says.
 *
 * @throws {@link InvalidResponseError} When `validation` is `'strict'`.
 */
export const handleIssues = (issues: readonly Issue[], response: ApiResponse, reporter: Reporter): void => {
  const { status, running } = response;
  const { operation } = running.request;
  const { validation } = running.options;
  if (validation === 'strict') {
    const message = `The response of ${operation} breaks the contract.`;
    throw new InvalidResponseError(message, { operation, status, issues, body: bodyOf(response) });
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
 * data. Lists are parsed row by row, so that the search can be left: ten megabytes of wrong rows contain a million issues,
 * which overflow the stack of zod.
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
 * Reads the body of an operation's successful response and checks it against the contract. Unknown fields are kept.
 *
 * @throws {@link InvalidResponseError} When the body is not a success envelope, or breaks the contract and `validation`
 * is `'strict'`.
 */
export const readData = <Id extends OperationId>(
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
