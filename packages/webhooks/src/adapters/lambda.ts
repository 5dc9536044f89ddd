import { decodeBase64 } from '../bytes/decode-base64.ts';
import type { Receiver } from '../receive/receive.ts';

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

const methodOf = ({ httpMethod, requestContext }: LambdaEvent): string =>
  httpMethod ??
  (requestContext && 'http' in requestContext && requestContext.http ? requestContext.http.method : '');

const bodyOf = ({ body = null, isBase64Encoded }: LambdaEvent): unknown => {
  if (!isBase64Encoded || typeof body !== 'string') return body;
  try {
    return decodeBase64(body);
  } catch {
    return undefined;
  }
};

/**
 * Makes a Lambda function for API Gateway (v1 and v2), function URLs and load balancers.
 *
 * Let the gateway pass binary bodies (v1: `binaryMediaTypes`): a body that it decodes itself is text, in which
 * bytes that are not UTF-8 are lost, so that its signature no longer matches.
 *
 * @example
 * ```ts
 * export const handler = toLambdaHandler(webhooks);
 * ```
 */
export const toLambdaHandler =
  (webhooks: Receiver) =>
  async (event: LambdaEvent): Promise<LambdaResult> => {
    const { status, headers, body } = await webhooks.receive({
      method: methodOf(event),
      // v1 has both, and `headers` keeps only the last of repeated ones.
      headers: event.multiValueHeaders ?? event.headers,
      body: bodyOf(event),
      hint: HINT,
    });
    return { statusCode: status, headers: { ...headers }, body };
  };
