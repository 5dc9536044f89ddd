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

type ResponseHeaders = Readonly<Record<string, string>>;

/** Whether a response has no body: the platform refuses a body for these statuses. */
export const isBodiless = (status: number, method?: string): boolean =>
  method === 'HEAD' || status === 204 || status === 205 || status === 304;

/** A complete response with a body of JSON. */
export const jsonResponse = (status: number, body: string, headers?: ResponseHeaders): ServiceResponse => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body,
  ending: 'complete',
});

/** The JSON of a failure: `{ success, error, code }`. */
export const errorBody = (message: string, code: string): string =>
  JSON.stringify({ success: false, error: message, code } satisfies ErrorEnvelope);

const rowJsonCache = new WeakMap<object, string>();

/** The JSON of a row. Rows are frozen, so it is cached: writing it was a quarter of the cost of a page. */
const rowJson = (row: object): string => {
  const json = rowJsonCache.get(row) ?? JSON.stringify(row);
  if (Object.isFrozen(row)) {
    rowJsonCache.set(row, json);
  }
  return json;
};

/**
 * Wraps the result of an operation in the service's envelope: `{ success, data, meta? }`.
 *
 * @throws {@link MockError} `CONTRACT_BROKEN`, when the response does not match the contract in strict mode.
 */
export const successResponse = (
  operation: Operation,
  { data, meta }: { data: unknown; meta?: unknown },
  { headers, strict }: { readonly headers: ResponseHeaders; readonly strict: boolean },
): ServiceResponse => {
  const json = Array.isArray(data) ? `[${data.map(rowJson).join(',')}]` : JSON.stringify(data);
  const tail = meta === undefined ? '' : `,"meta":${JSON.stringify(meta)}`;
  const body = `{"success":true,"data":${json}${tail}}`;
  const breach = strict ? breachOf(`The response of ${operation.id}`, operation.response, body) : undefined;
  if (breach !== undefined) {
    throw breach;
  }
  return jsonResponse(operation.status, body, headers);
};

/** The response for a refusal. */
export const refusalResponse = (
  { status, code, message, headers }: Refusal,
  more?: ResponseHeaders,
  otherCode: string = code,
): ServiceResponse => jsonResponse(status, errorBody(message, otherCode), { ...more, ...headers });

/** A 500 for an unexpected error: with its message, which may help, and without its stack. */
export const failureResponse = (error: unknown, headers?: ResponseHeaders): ServiceResponse => {
  const message = error instanceof Error ? error.message : 'A value that is not an Error was thrown';
  return jsonResponse(500, errorBody(message, 'INTERNAL_ERROR'), headers);
};

interface ErrorOptions {
  readonly headers?: ResponseHeaders;
  readonly strict: boolean;
  /** Codes that replace those of the mock, by status. */
  readonly codes?: Readonly<Partial<Record<number, string>>>;
}

/** The response for an error; in strict mode, a 500 that says so if that response breaks the contract. */
export const errorResponse = (error: unknown, { headers, strict, codes }: ErrorOptions): ServiceResponse => {
  const response =
    error instanceof Refusal
      ? refusalResponse(error, headers, codes?.[error.status])
      : failureResponse(error, headers);
  const breach = strict
    ? breachOf(`The response with status ${response.status}`, ErrorEnvelopeSchema, response.body)
    : undefined;
  return breach === undefined ? response : failureResponse(breach, headers);
};
