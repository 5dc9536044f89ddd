import { typeName } from '@confab/internal';
import { WebhookError } from '../errors/webhook-error.ts';
import { isWellFormed } from './is-well-formed.ts';
import type { Bytes } from './to-bytes.ts';
import { encodeText, toBytes } from './to-bytes.ts';

/** How large a body may be, and what to say when it is not raw. */
export interface BodyRules {
  readonly maxBodyBytes: number;
  /** What to change in this framework so that the raw body arrives. */
  readonly hint?: string | undefined;
}

/** What to change when nothing is known of the framework. */
export const RAW_BODY_HINT = 'Pass the bytes or the text that arrived, before anything parses them.';

/** The error of a body that is too large. */
export const bodyTooLarge = (maxBodyBytes: number) =>
  new WebhookError(
    'BODY_TOO_LARGE',
    `The body is larger than the ${maxBodyBytes} bytes of maxBodyBytes, so it was not read further.`,
  );

/**
 * A body that is in memory, if it is raw and not too large. A string stays one: Node hashes it without a copy.
 *
 * @throws WebhookError `BODY_NOT_RAW`, `BODY_TOO_LARGE` or `INVALID_ENCODING`.
 */
export const rawBody = (body: unknown, { maxBodyBytes, hint = RAW_BODY_HINT }: BodyRules): Bytes | string => {
  if (typeof body === 'string') {
    if (body.length > maxBodyBytes) {
      throw bodyTooLarge(maxBodyBytes);
    }
    if (!isWellFormed(body)) {
      throw new WebhookError(
        'INVALID_ENCODING',
        'The body is a string with a lone surrogate, which no UTF-8 decodes to. Pass the bytes that arrived.',
      );
    }
    // A UTF-16 unit takes one to three bytes, so that only texts near the limit need counting.
    const fits = body.length * 3 <= maxBodyBytes || encodeText(body).byteLength <= maxBodyBytes;
    if (!fits) {
      throw bodyTooLarge(maxBodyBytes);
    }
    return body;
  }
  const bytes = toBytes(body);
  if (bytes === undefined) {
    throw new WebhookError(
      'BODY_NOT_RAW',
      `The body is ${typeName(body)}, so the bytes that were signed are gone. ${hint}`,
    );
  }
  if (bytes.byteLength > maxBodyBytes) {
    throw bodyTooLarge(maxBodyBytes);
  }
  return bytes;
};
