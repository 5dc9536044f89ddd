import { InvalidResponseError } from '../../errors/index.ts';
import type { ApiResponse } from '../api-response.ts';
import { bodyOf, describeBody } from './describe-body.ts';

/** The body of a successful response. Whoever expects `meta` checks it. */
export interface SuccessEnvelope {
  readonly success: true;
  readonly data: unknown;
  readonly meta?: unknown;
}

/** Returns the `success` field, which every response of the API has and a proxy's error page does not. */
export const successOf = (body: unknown): unknown =>
  typeof body === 'object' && body !== null ? Reflect.get(body, 'success') : undefined;

/** @throws {@link InvalidResponseError} When the body is not a success envelope. */
export const decodeEnvelope = (response: ApiResponse): SuccessEnvelope => {
  const { operation, label, status, body } = response;
  if (successOf(body) === true && 'data' in (body as object)) {
    return body as SuccessEnvelope;
  }
  throw new InvalidResponseError(
    body === undefined
      ? `${label} returned ${status} with ${describeBody(response)}, which is not JSON. Is \`baseUrl\` the URL of the service?`
      : `${label} returned ${status} without \`success: true\` and \`data\`: ${describeBody(response)}.`,
    { operation, status, body: bodyOf(response) },
  );
};
