import type { ErrorEnvelope, Operation } from '@confab/client/contract';
import { Refusal } from '../errors/refusal.ts';
import { BODILESS_STATUSES } from '../world/faults/fault.ts';
import { checkContract } from './strict.ts';

/** A response of the service, which each host converts into its own kind of response. */
export interface ServiceResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /**
   * Creates the bytes of a body that is not sent at once. If the generator throws, the connection breaks.
   *
   * @param readerGone Aborted when nobody reads the response any more.
   */
  readonly pieces?: ((readerGone: AbortSignal) => AsyncGenerator<Uint8Array>) | undefined;
}

/** Returned in place of a response when a host must break the connection. */
export const NETWORK_ERROR = Symbol('network error');
export type NetworkError = typeof NETWORK_ERROR;

type ResponseHeaders = Readonly<Record<string, string>>;

/** Whether a response has no body: the platform refuses a body for these statuses. */
export const isBodiless = (status: number, method?: string): boolean =>
  method === 'HEAD' || BODILESS_STATUSES.includes(status);

/** Creates a response with a JSON body. */
export const jsonResponse = (status: number, body: string, headers?: ResponseHeaders): ServiceResponse => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body,
});

/** Creates the JSON of an error: `{ success, error, code }`. */
export const errorBody = (message: string, code: string): string =>
  JSON.stringify({ success: false, error: message, code } satisfies ErrorEnvelope);

const rowJsonCache = new WeakMap<object, string>();

/** Returns the JSON of a row. It is cached, because writing it took a quarter of the time of a page. */
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
 * @throws A {@link MockError} `CONTRACT_BROKEN`, when the response does not match the contract in strict mode.
 */
export const successResponse = (
  operation: Operation,
  { data, meta }: { data: unknown; meta?: unknown },
  { headers, strict }: { readonly headers: ResponseHeaders; readonly strict: boolean },
): ServiceResponse => {
  const json = Array.isArray(data) ? `[${data.map(rowJson).join(',')}]` : JSON.stringify(data);
  const tail = meta === undefined ? '' : `,"meta":${JSON.stringify(meta)}`;
  const body = `{"success":true,"data":${json}${tail}}`;
  if (strict) {
    checkContract(`The response of ${operation.id}`, operation.response, body);
  }
  return jsonResponse(operation.status, body, headers);
};

/**
 * Creates the response for a refusal. Any other error is unexpected, and becomes a 500 with its message but not its stack.
 *
 * @param codes Codes that replace those of the mock, by status.
 */
export const errorResponse = (
  error: unknown,
  headers?: ResponseHeaders,
  codes: Readonly<Partial<Record<number, string>>> = {},
): ServiceResponse => {
  if (error instanceof Refusal) {
    const { status, message } = error;
    const body = errorBody(message, codes[status] ?? error.code);
    return jsonResponse(status, body, { ...headers, ...error.headers });
  }
  const message = error instanceof Error ? error.message : 'The operation threw a value that is not an Error';
  return jsonResponse(500, errorBody(message, 'INTERNAL_ERROR'), headers);
};
