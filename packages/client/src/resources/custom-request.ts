import type { Checks } from '@confab/internal';
import { anyValue, checkThat, hasMethods, isBoolean, oneOf, pathProblem } from '@confab/internal';
import { ApiPromise } from '../call/api-promise.ts';
import type { Caller } from '../call/call.ts';
import { readEnvelope } from '../call/check-response.ts';
import type { ApiResponse, CallInput, CallOperation } from '../call/types.ts';
import { operations } from '../contract/operations.ts';
import type { CallOptions } from '../options/client-options.ts';
import { checkOptions, hintForCallOption } from '../options/option-checks.ts';
import type { Redact } from '../secrecy/redact.ts';
import type { StandardSchema } from './standard-schema.ts';
import { checkData } from './standard-schema.ts';

/** A request that no method of the client sends. */
export interface CustomRequest<Schema extends StandardSchema | undefined = StandardSchema | undefined> {
  /** The method of the request, in capitals: `GET`. */
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /**
   * Path below the base URL, beginning with a slash: `/api/v2/public/tags`. Encode variable parts with
   * `encodeURIComponent`. Paths that a server could resolve to a different one are refused: those with an empty, `.` or
   * `..` segment, encoded or not, or with an encoded slash, backslash or percent sign.
   */
  path: string;
  /** Query parameters. Undefined ones are left out. */
  query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  /** The body, sent as JSON. GET and HEAD have none. */
  body?: unknown;
  /** A schema that checks and types the data of the response. It may be asynchronous. */
  schema?: Schema;
  /**
   * Whether a retry is safe, so that the client may send the request again after an unknown outcome.
   *
   * @default true for GET, HEAD, PUT and DELETE, which HTTP defines as idempotent; false for POST and PATCH
   */
  idempotent?: boolean | undefined;
}

/** The type of the data of a response: the output of the schema, or unknown without a schema. */
export type CustomData<Schema> = Schema extends StandardSchema<infer Output> ? Output : unknown;

/** Sends a request that no other method sends. */
export type SendCustomRequest = <Schema extends StandardSchema | undefined = undefined>(
  request: CustomRequest<Schema>,
  options?: CallOptions,
) => ApiPromise<CustomData<Schema>>;

const REQUEST: Checks<CustomRequest> = {
  method: oneOf('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'),
  path: anyValue,
  query: anyValue,
  body: anyValue,
  schema: checkThat((value) => hasMethods(Object(value)['~standard'], 'validate'), 'a Standard Schema'),
  idempotent: isBoolean,
};

const read = (response: ApiResponse, { method, schema }: CustomRequest): unknown => {
  const data = response.status === 204 || method === 'HEAD' ? undefined : readEnvelope(response).data;
  return schema ? response.running.timeLimit.race(checkData(data, schema, response)) : data;
};

const BODILESS = ['GET', 'HEAD'];

/** The methods that HTTP defines as idempotent. */
const IDEMPOTENT = ['GET', 'HEAD', 'PUT', 'DELETE'];

/** The time limits of most operations. */
const { timeout, totalTimeout } = operations['leads.get'];

/**
 * Describes a request as a call.
 *
 * @throws A {@link ConfigurationError} when the request has an unknown or invalid field.
 */
const describe = (request: CustomRequest, redact: Redact): [CallOperation, CallInput] => {
  checkOptions('request field', request, REQUEST, redact, {
    required: ['method'],
    prefix: 'request.',
    example: '{ method, path }',
    elsewhere: (name) => hintForCallOption(name, Object.keys(REQUEST)),
  });
  const { method, path, query, body, idempotent = IDEMPOTENT.includes(method) } = request;
  const problems = {
    path: pathProblem(path),
    body: body !== undefined && BODILESS.includes(method) ? 'must be left out of a GET or HEAD' : undefined,
  };
  const issues = Object.entries(problems).flatMap(([name, message]) =>
    message === undefined ? [] : [{ path: name, message }],
  );
  const knownPath = typeof path === 'string' ? path : '…';
  return [
    { id: 'request', method, path: knownPath, idempotent, timeout, totalTimeout },
    { query, body, issues },
  ];
};

/** @internal */
export const createRequest = ({ makeCall }: Caller, redact: Redact): SendCustomRequest => {
  const send = async (request: CustomRequest, options: CallOptions | undefined) => {
    return makeCall(...describe(request, redact), options, (response) => read(response, request) as never);
  };
  return (request, options) => new ApiPromise(send(request, options));
};
