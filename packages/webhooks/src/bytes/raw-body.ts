import { typeName } from '@confab/internal';
import { WebhookError } from '../errors/webhook-error.ts';
import { isWellFormed } from './is-well-formed.ts';
import type { Bytes } from './to-bytes.ts';
import { encodeText, toBytes } from './to-bytes.ts';

/** The limit on a body, and the advice for one that is not raw. */
export interface BodyRules {
  readonly maxBodyBytes: number;
  /** How to get the raw body in this framework. */
  readonly hint?: string | undefined;
}

/** The advice when the framework is unknown. */
export const RAW_BODY_HINT = 'Pass the bytes or the text that arrived, before anything parses them.';

/** Builds the error for a body above the limit. */
export const bodyTooLarge = (maxBodyBytes: number) =>
  new WebhookError(
    'BODY_TOO_LARGE',
    `The body exceeds maxBodyBytes (${maxBodyBytes} bytes). If genuine deliveries are larger, raise it.`,
  );

/**
 * Returns a body that is in memory, if it is raw and within the limit. A string stays a string, because Node hashes it
 * without a copy.
 *
 * @throws {@link WebhookError} When it is not, with `code: 'BODY_NOT_RAW'`, `'BODY_TOO_LARGE'` or `'INVALID_ENCODING'`.
 */
export const rawBody = (body: unknown, { maxBodyBytes, hint = RAW_BODY_HINT }: BodyRules): Bytes | string => {
  if (typeof body === 'string') {
    // A UTF-16 unit becomes one to three bytes, so only texts near the limit need counting.
    const fits =
      // Stryker disable next-line ConditionalExpression,EqualityOperator: Counting the bytes has the same result, later.
      body.length * 3 <= maxBodyBytes ||
      // Stryker disable next-line ConditionalExpression: Counting the bytes has the same result, later.
      (body.length <= maxBodyBytes && encodeText(body).byteLength <= maxBodyBytes);
    if (!fits) {
      throw bodyTooLarge(maxBodyBytes);
    }
    if (!isWellFormed(body)) {
      throw new WebhookError(
        'INVALID_ENCODING',
        'The body is a string with a lone surrogate. Pass the bytes that arrived.',
      );
    }
    return body;
  }
  const bytes = toBytes(body);
  if (bytes === undefined) {
    // The type alone: a stranger may have sent the value, and errors end up in logs.
    throw new WebhookError(
      'BODY_NOT_RAW',
      `The body is ${typeName(body)}, so the signed bytes are lost. ${hint}`,
    );
  }
  if (bytes.byteLength > maxBodyBytes) {
    throw bodyTooLarge(maxBodyBytes);
  }
  return bytes;
};
