import { pathProblem } from '@confab/internal';
import { operations } from '../contract/operations.ts';
import type { Checks } from '../options/check-values.ts';
import { checkOptions, hasMethods, isBoolean, later, must, oneOf } from '../options/check-values.ts';
import type { CallOptions } from '../options/client-options.ts';
import type { StandardSchema } from '../options/standard-schema.ts';
import { ApiPromise } from '../transport/api-promise.ts';
import type { ApiResponse } from '../transport/api-response.ts';
import type { OperationInput } from '../transport/build-request.ts';
import { bodyProblem } from '../transport/check-content.ts';
import { decodeEnvelope } from '../transport/read-outcome/decode-envelope.ts';
import type { Transport } from '../transport/transport.ts';
import { checkData } from './check-data.ts';

/** A request that no method of the client sends. */
export interface CustomRequest<Schema extends StandardSchema | undefined = StandardSchema | undefined> {
  /** HTTP method. */
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /**
   * Path below the base URL, with a slash at its beginning: `/api/v2/public/tags`. Encode variable parts with
   * `encodeURIComponent`. Paths that a server could read as one elsewhere are refused: those with an empty, `.` or `..`
   * segment, encoded or not, or with an encoded slash, backslash or percent sign.
   */
  path: string;
  /** Query parameters. Those that are undefined are left out. */
  query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  /** The body, sent as JSON. GET and HEAD have none. */
  body?: unknown;
  /** Checks the data of the response, and types it. It may be asynchronous. */
  schema?: Schema;
  /**
   * True when a repeat is harmless, so that the client may send the request again after an unknown outcome.
   *
   * @default true for GET, HEAD, PUT and DELETE, which HTTP defines as idempotent; false for POST and PATCH
   */
  idempotent?: boolean | undefined;
}

/** The data of a response: what its schema returns, or unknown without a schema. */
export type CustomData<Schema> = Schema extends StandardSchema<infer Output> ? Output : unknown;

/** Sends a request that no other method sends. */
export type SendCustomRequest = <Schema extends StandardSchema | undefined = undefined>(
  request: CustomRequest<Schema>,
  options?: CallOptions,
) => ApiPromise<CustomData<Schema>>;

const REQUEST: Checks<CustomRequest> = {
  method: oneOf('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'),
  path: later,
  query: later,
  body: later,
  schema: must((value) => hasMethods(Object(value)['~standard'], 'validate'), 'a Standard Schema'),
  idempotent: isBoolean,
};

const decode = async (response: ApiResponse, { method, schema }: CustomRequest): Promise<unknown> => {
  const data = response.status === 204 || method === 'HEAD' ? undefined : decodeEnvelope(response).data;
  return schema ? checkData(data, schema, response) : data;
};

export const createRequest =
  ({ send }: Transport): SendCustomRequest =>
  (request, options) => {
    const describe: OperationInput['describe'] = (issues) => {
      checkOptions('field of request', request, REQUEST, 'request.');
      // It is needed below, and checks skip what is undefined.
      REQUEST.method('request.method', request.method);
      const { method, path, body, idempotent = !/^P[OA]/.test(method) } = request;
      const problems = {
        path: pathProblem(path),
        body:
          body !== undefined && /^[GH]/.test(method)
            ? 'must be left out of a GET or HEAD'
            : bodyProblem(body),
      };
      for (const [name, message] of Object.entries(problems)) {
        if (message !== undefined) {
          issues.push({ path: name, message });
        }
      }
      return {
        ...operations['agents.list'],
        id: 'request',
        method,
        path: typeof path === 'string' ? path : '…',
        idempotent,
      };
    };
    return new ApiPromise(
      send(
        'request',
        { query: request?.query, body: request?.body, describe },
        options,
        (response) => decode(response, request) as Promise<never>,
      ),
    );
  };
