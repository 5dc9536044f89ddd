import { WebhookError } from '../errors/webhook-error.ts';
import { singleHeader } from './read-signature.ts';

/** Whether a text is a Unix time in whole seconds. */
export const isTimestamp = (text: string): boolean => /^[0-9]{1,15}$/.test(text);

/**
 * Reads the timestamp as text, because the sender signed these exact characters.
 *
 * @throws {@link WebhookError} When there is no such timestamp, with `code: 'MISSING_SIGNATURE'`,
 * `'MALFORMED_SIGNATURE'` or `'AMBIGUOUS_SIGNATURE'`.
 */
export const readTimestamp = (headers: unknown, header: string): string => {
  const text = singleHeader(headers, header);
  if (isTimestamp(text)) {
    return text;
  }
  throw new WebhookError(
    text.includes(',') ? 'AMBIGUOUS_SIGNATURE' : 'MALFORMED_SIGNATURE',
    `The "${header}" header must be one Unix time in whole seconds, got ${text.length} characters.`,
  );
};

/**
 * Refuses a timestamp that is too far in the past or in the future.
 *
 * @param now The current time in milliseconds since 1970.
 * @throws {@link WebhookError} When it is, with `code: 'TIMESTAMP_OUT_OF_TOLERANCE'`.
 */
export const checkTimestamp = (text: string, toleranceSeconds: number, now: number): void => {
  const seconds = Number(text) - now / 1000;
  if (Math.abs(seconds) <= toleranceSeconds) {
    return;
  }
  throw new WebhookError(
    'TIMESTAMP_OUT_OF_TOLERANCE',
    // Stryker disable next-line EqualityOperator: A difference of 0 is within every tolerance.
    `The delivery was signed ${Math.abs(Math.round(seconds))} s ${seconds < 0 ? 'ago' : 'in the future'}, but toleranceSeconds is ${toleranceSeconds}. It is a replay, or a clock is wrong.`,
  );
};
