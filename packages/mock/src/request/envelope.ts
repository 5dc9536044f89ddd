import type { ErrorEnvelope, Operation } from '@confab/client/contract';
import { ErrorEnvelopeSchema } from '@confab/client/contract';
import { Refusal } from '../errors/refusal.ts';
import { breachOf } from './strict.ts';

/** A response of the service, which each host turns into its own kind. */
export interface ServiceResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly ending: Ending;
}

/** How a body ends: complete, or after its first half, with the connection broken or silent. */
export type Ending = 'complete' | 'broken' | Silence;

/** The second half of a body, when it never comes. */
interface Silence {
  /**
   * Begins the silence, once the first half has been read. Call the function that it returns when the reader is gone.
   *
   * @param broken Called if the connection breaks after all, because the mock was restored, reset or closed.
   */
  begin(broken: () => void): () => void;
}

/** Returned in place of a response when a host must break the connection. */
export const NETWORK_ERROR = Symbol('network error');
export type NetworkError = typeof NETWORK_ERROR;

/** Whether responses with this status have no body; the platform refuses one with these. */
export const isBodiless = (status: number): boolean => status === 204 || status === 205 || status === 304;

const known = new WeakMap<object, string>();

/** The JSON of a row. Rows are frozen, so it is cached: writing it was a quarter of the cost of a page. */
const rowJson = (row: unknown): string => {
  if (typeof row !== 'object' || row === null || !Object.isFrozen(row)) {
    return JSON.stringify(row);
  }
  const json = known.get(row) ?? JSON.stringify(row);
  known.set(row, json);
  return json;
};

/** The JSON of a success: `{ success, data, meta? }`. */
export const bodyJson = ({ data, meta }: { data: unknown; meta?: unknown }): string => {
  const json = Array.isArray(data) ? `[${data.map(rowJson).join(',')}]` : JSON.stringify(data);
  const tail = meta === undefined ? '' : `,"meta":${JSON.stringify(meta)}`;
  return `{"success":true,"data":${json}${tail}}`;
};

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
