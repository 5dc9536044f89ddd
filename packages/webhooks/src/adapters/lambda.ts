/**
 * Receives webhooks in AWS Lambda.
 *
 * @packageDocumentation
 */

import type { HeadersLike } from '../headers.ts';
import type { IncomingRequest, Receiver, WebhookResponse } from '../receive.ts';
import { settlesWithin } from '../run-in-time.ts';
import { decodeBase64 } from '../signature/encoding.ts';
import { checkReceiver, receiveSafely } from './receive-safely.ts';

/** The parts that are read of an event from API Gateway (v1 or v2), a function URL, a load balancer or VPC Lattice (v1 or v2). */
export interface LambdaEvent {
  /** The method of the request, in events of API Gateway v1 and load balancers. */
  readonly httpMethod?: string | undefined;
  /** The method of the request, in events of VPC Lattice. */
  readonly method?: string | undefined;
  /** The path of the request, in events of API Gateway v1, load balancers and VPC Lattice v2. */
  readonly path?: string | undefined;
  /** The path of the request, in events of API Gateway v2 and function URLs. */
  readonly rawPath?: string | undefined;
  /** The query of the request, in events of API Gateway v2 and function URLs. */
  readonly rawQueryString?: string | undefined;
  /** The path and query of the request, in events of VPC Lattice v1. */
  readonly raw_path?: string | undefined;
  /** The context of the request. In events of API Gateway v2 and function URLs, it contains the method. */
  readonly requestContext?: object | undefined;
  /** The headers of the request. VPC Lattice v2 lists their values. */
  readonly headers?: { readonly [name: string]: string | string[] | undefined } | null | undefined;
  /** The headers of the request, each with all its values. */
  readonly multiValueHeaders?: { readonly [name: string]: string[] | undefined } | null | undefined;
  /** The body of the request; `null` if it is empty. */
  readonly body?: string | null | undefined;
  /** Whether the body is Base64, as it is for binary content. */
  readonly isBase64Encoded?: boolean | undefined;
  /** Whether the body is Base64, in events of VPC Lattice v1. */
  readonly is_base64_encoded?: boolean | undefined;
}

/** The result of the function. */
export interface LambdaResult {
  /** The HTTP status. */
  statusCode: number;
  /** The response headers. */
  headers?: Record<string, string>;
  /** The response headers for a load balancer with multi-value headers, which ignores `headers`. */
  multiValueHeaders?: Record<string, string[]>;
  /** The response body. */
  body: string;
}

const HINT = 'Remove JSON body parsers from this function, such as http-json-body-parser of Middy.';

/** Milliseconds that the function waits for `onError` handlers. When it returns, Lambda freezes unfinished work. */
const ON_ERROR_LIMIT_MS = 1000;

const readEventMethod = ({ httpMethod, method, requestContext }: LambdaEvent): string =>
  httpMethod ??
  method ??
  (requestContext as { http?: { method: string } | null } | undefined)?.http?.method ??
  '';

const readEventUrl = ({ path, raw_path, rawPath, rawQueryString }: LambdaEvent): string | undefined =>
  rawPath === undefined ? (raw_path ?? path) : `${rawPath}${rawQueryString ? `?${rawQueryString}` : ''}`;

// API Gateway v1 sends both, and `headers` has only the last value of a repeated header. Some emulators send one empty.
const readEventHeaders = ({ headers, multiValueHeaders }: LambdaEvent): HeadersLike | null | undefined =>
  multiValueHeaders && Object.keys(multiValueHeaders).length > 0 ? multiValueHeaders : headers;

const readEventBody = (event: LambdaEvent): Pick<IncomingRequest, 'body' | 'hint'> => {
  const { body = null, is_base64_encoded, isBase64Encoded = is_base64_encoded } = event;
  if (!isBase64Encoded || typeof body !== 'string') {
    return { body, hint: HINT };
  }
  try {
    return { body: decodeBase64(body) };
  } catch {
    return { body: undefined, hint: 'The event has `isBase64Encoded: true`, but its body is not Base64.' };
  }
};

/** An event that has only multi-value headers comes from a load balancer, which reads no others from the response. */
const formatHeaders = (
  { headers, multiValueHeaders }: LambdaEvent,
  response: WebhookResponse['headers'],
): Pick<LambdaResult, 'headers' | 'multiValueHeaders'> =>
  headers || !multiValueHeaders
    ? { headers: { ...response } }
    : {
        multiValueHeaders: Object.fromEntries(
          Object.entries(response).map(([name, value]) => [name, [value]]),
        ),
      };

/**
 * Creates a Lambda function for API Gateway (v1 and v2), function URLs, load balancers and VPC Lattice (v1 and v2). It never
 * rejects.
 *
 * Configure the gateway to pass binary bodies (`binaryMediaTypes` in v1). Otherwise the gateway decodes the body as text,
 * which destroys bytes that are not UTF-8, and the signature no longer matches.
 *
 * @throws A {@link @confab/webhooks!WebhookConfigurationError | WebhookConfigurationError} when `webhooks` is
 * not a receiver.
 *
 * @example
 * ```ts
 * export const handler = toLambdaHandler(webhooks);
 * ```
 */
export const toLambdaHandler = (webhooks: Receiver): ((event: LambdaEvent) => Promise<LambdaResult>) => {
  checkReceiver('toLambdaHandler', webhooks);
  return async (received) => {
    const event: LambdaEvent = received ?? {};
    const tasks: Promise<void>[] = [];
    const { status, headers, body } = await receiveSafely(webhooks, () => ({
      method: readEventMethod(event),
      url: readEventUrl(event),
      headers: readEventHeaders(event),
      ...readEventBody(event),
      afterResponse: (task) => void tasks.push(task()),
    }));
    await settlesWithin(ON_ERROR_LIMIT_MS, Promise.all(tasks));
    return { statusCode: status, ...formatHeaders(event, headers), body };
  };
};
