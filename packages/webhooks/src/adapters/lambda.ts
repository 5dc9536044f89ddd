import { decodeBase64 } from '../bytes/decode-base64.ts';
import type { Receiver } from '../receive/receive.ts';
import type { HeadersLike } from '../signature/headers.ts';
import { settledWithin } from '../timing/settled-within.ts';
import { answerOf } from './answer-of.ts';
import { checkReceiver } from './check-receiver.ts';

/** The part in use of an event of API Gateway (v1 and v2), a function URL or a load balancer. */
export interface LambdaEvent {
  readonly httpMethod?: string | undefined;
  readonly requestContext?: { readonly http?: { readonly method: string } } | object | undefined;
  readonly headers?: { readonly [name: string]: string | undefined } | null | undefined;
  readonly multiValueHeaders?: { readonly [name: string]: string[] | undefined } | null | undefined;
  readonly body?: string | null | undefined;
  readonly isBase64Encoded?: boolean | undefined;
}

/** What the function returns. */
export interface LambdaResult {
  statusCode: number;
  headers: Record<string, string>;
  body: string;
}

const HINT = 'Take JSON body parsers (such as http-json-body-parser of Middy) away from this function.';

/** Milliseconds that the function goes on for `onError`: what has not ended when it returns is frozen with it. */
const AFTERWARDS_MS = 1000;

const methodOf = ({ httpMethod, requestContext }: LambdaEvent): string =>
  httpMethod ??
  (requestContext && 'http' in requestContext && requestContext.http ? requestContext.http.method : '');

// v1 has both, and `headers` keeps only the last of repeated ones. Some emulators leave one of them empty.
const headersOf = ({ headers, multiValueHeaders }: LambdaEvent): HeadersLike | null | undefined =>
  multiValueHeaders && Object.keys(multiValueHeaders).length > 0 ? multiValueHeaders : headers;

const bodyOf = ({ body = null, isBase64Encoded }: LambdaEvent): unknown => {
  if (!isBase64Encoded || typeof body !== 'string') {
    return body;
  }
  try {
    return decodeBase64(body);
  } catch {
    return undefined;
  }
};

/**
 * Makes a Lambda function for API Gateway (v1 and v2), function URLs and load balancers. It never rejects.
 *
 * Let the gateway pass binary bodies (v1: `binaryMediaTypes`): a body that it decodes itself is text, in which
 * bytes that are not UTF-8 are lost, so that its signature no longer matches.
 *
 * @throws `WebhookConfigurationError` If it is not given a receiver.
 *
 * @example
 * ```ts
 * export const handler = toLambdaHandler(webhooks);
 * ```
 */
export const toLambdaHandler = (webhooks: Receiver): ((event: LambdaEvent) => Promise<LambdaResult>) => {
  checkReceiver('toLambdaHandler', webhooks);
  return async (given) => {
    const event: LambdaEvent = given ?? {};
    const afterwards: Promise<void>[] = [];
    const { status, headers, body } = await answerOf(() =>
      webhooks.receive({
        method: methodOf(event),
        headers: headersOf(event),
        body: bodyOf(event),
        hint: HINT,
        afterResponse: (task) => void afterwards.push(task()),
      }),
    );
    await settledWithin(AFTERWARDS_MS, Promise.all(afterwards));
    return { statusCode: status, headers: { ...headers }, body };
  };
};
