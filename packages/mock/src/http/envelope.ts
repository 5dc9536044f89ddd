import type { ErrorEnvelope, Operation } from '@confab/client/contract';
import { ErrorEnvelopeSchema } from '@confab/client/contract';
import { bodyJson } from './body-json.ts';
import { breachOf } from './breach.ts';
import { Refusal } from './refusal.ts';
import type { ServiceResponse } from './service-response.ts';

const JSON_HEADERS = { 'content-type': 'application/json' };

/** A complete response with a body of JSON. */
export const jsonResponse = (
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): ServiceResponse => ({
  status,
  headers: { ...JSON_HEADERS, ...headers },
  body,
  ending: 'complete',
});

/** The JSON of a failure: `{ success, error, code }`. */
export const errorBody = (message: string, code: string): string =>
  JSON.stringify({ success: false, error: message, code } satisfies ErrorEnvelope);

interface EnvelopeOptions {
  readonly headers: Readonly<Record<string, string>>;
  /** Whether to check the response against the contract. */
  readonly strict: boolean;
}

/**
 * Wraps the result of an operation in the service's envelope.
 *
 * @throws {@link MockError} `CONTRACT_BROKEN`, when the result does not match the contract in strict mode.
 */
export const successResponse = (
  operation: Operation,
  output: { data: unknown; meta?: unknown },
  { headers, strict }: EnvelopeOptions,
): ServiceResponse => {
  const body = bodyJson(output);
  const breach = strict ? breachOf(`The response of ${operation.id}`, operation.response, body) : undefined;
  if (breach !== undefined) {
    throw breach;
  }
  return jsonResponse(operation.status, body, headers);
};

/** The response for an error; in strict mode, a 500 that says so if that response breaks the contract. */
export const errorResponse = (error: unknown, { headers, strict }: EnvelopeOptions): ServiceResponse => {
  const response =
    error instanceof Refusal ? refusalResponse(error, headers) : failureResponse(error, headers);
  const breach = strict
    ? breachOf(`The response with status ${response.status}`, ErrorEnvelopeSchema, response.body)
    : undefined;
  return breach === undefined ? response : failureResponse(breach, headers);
};

/** The response for a refusal. */
export const refusalResponse = (
  { status, code, message, headers }: Refusal,
  more: Readonly<Record<string, string>> = {},
): ServiceResponse => jsonResponse(status, errorBody(message, code), { ...more, ...headers });

/** A 500 for an unexpected error: with its message, which may help, and without its stack. */
export const failureResponse = (
  error: unknown,
  headers: Readonly<Record<string, string>> = {},
): ServiceResponse => {
  const message = error instanceof Error ? error.message : 'A value that is not an Error was thrown';
  return jsonResponse(500, errorBody(message, 'INTERNAL_ERROR'), headers);
};
