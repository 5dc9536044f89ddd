import type { ErrorEnvelope, Operation } from '@confab/client/contract';
import { ErrorEnvelopeSchema } from '@confab/client/contract';
import type { Fault } from '../world/faults/fault.ts';
import { bodyJson } from './body-json.ts';
import { breachOf } from './breach.ts';
import type { Answer } from './call.ts';
import { Refusal } from './refusal.ts';

const JSON_HEADERS = { 'content-type': 'application/json' };

const answer = (status: number, body: string, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status,
  headers: { ...JSON_HEADERS, ...headers },
  body,
  ending: 'whole',
});

const errorBody = (message: string, code: string): string =>
  JSON.stringify({ success: false, error: message, code } satisfies ErrorEnvelope);

/** How an answer is made. */
interface Manner {
  readonly headers: Readonly<Record<string, string>>;
  /** Whether it is held against the contract. */
  readonly strict: boolean;
}

/**
 * Wraps what an operation gave back.
 *
 * @throws {TypeError} In strict mode, if it is not what the contract promises.
 */
export const answerOf = (
  operation: Operation,
  output: { data: unknown; meta?: unknown },
  { headers, strict }: Manner,
): Answer => {
  const body = bodyJson(output);
  const breach = strict ? breachOf(`The answer of ${operation.id}`, operation.response, body) : undefined;
  if (breach !== undefined) {
    throw breach;
  }
  return answer(operation.status, body, headers);
};

/** What is sent for whatever was thrown; in strict mode, a 500 in place of what breaks the contract. */
export const errorAnswer = (error: unknown, { headers, strict }: Manner): Answer => {
  const sent = error instanceof Refusal ? refusalAnswer(error, headers) : failureOf(error, headers);
  const breach = strict
    ? breachOf(`The answer with status ${sent.status}`, ErrorEnvelopeSchema, sent.body)
    : undefined;
  return breach === undefined ? sent : failureOf(breach, headers);
};

export const refusalAnswer = (
  { status, code, message, headers }: Refusal,
  more: Readonly<Record<string, string>>,
): Answer => answer(status, errorBody(message, code), { ...more, ...headers });

/** An error that nobody meant to send: its message may help, its stack is nobody's business. */
export const failureOf = (error: unknown, headers: Readonly<Record<string, string>>): Answer =>
  answer(
    500,
    errorBody(
      error instanceof Error ? error.message : 'Something that is not an error was thrown',
      'INTERNAL_ERROR',
    ),
    headers,
  );

/** Codes for the statuses that tests inject most. */
const codeFor = (status: number): string => {
  if (status === 429) {
    return 'RATE_LIMIT_EXCEEDED';
  }
  if (status === 503) {
    return 'SERVICE_UNAVAILABLE';
  }
  return status >= 500 ? 'INTERNAL_ERROR' : 'INJECTED_FAULT';
};

/** What a fault answers instead of the service, if it does. */
export const faultAnswer = (fault: Fault, operation: Operation | undefined): Answer | undefined => {
  const { status, code, body } = fault;
  if (status === undefined && code === undefined && body === undefined) {
    return undefined;
  }
  const sent = status ?? (body === undefined ? 500 : (operation?.status ?? 200));
  if (typeof body === 'string') {
    return answer(sent, body);
  }
  return answer(
    sent,
    body === undefined
      ? errorBody(`A fault with status ${sent} was injected`, code ?? codeFor(sent))
      : JSON.stringify(body),
  );
};
