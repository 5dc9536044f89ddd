import { WebhookError } from '../errors/webhook-error.ts';
import { singleHeader } from './read-signature.ts';
import type { SignatureScheme } from './signature-options.ts';

type TimestampScheme = NonNullable<SignatureScheme['timestamp']>;

/**
 * The timestamp as it was written, since its characters are what the sender signed.
 *
 * @throws WebhookError `MISSING_SIGNATURE`, `MALFORMED_SIGNATURE` or `AMBIGUOUS_SIGNATURE`.
 */
export const readTimestamp = (headers: unknown, { header }: TimestampScheme): string => {
  const text = singleHeader(headers, header);
  if (/^[0-9]{1,15}$/.test(text)) {
    return text;
  }
  throw new WebhookError(
    text.includes(',') ? 'AMBIGUOUS_SIGNATURE' : 'MALFORMED_SIGNATURE',
    `The "${header}" header must be one Unix time in seconds, digits only. It has ${text.length} characters.`,
  );
};

/**
 * Refuses a timestamp too far from now, in the past or the future.
 *
 * @param now Milliseconds since 1970.
 * @throws WebhookError `TIMESTAMP_OUT_OF_TOLERANCE`.
 */
export const checkTimestamp = (text: string, { toleranceSeconds }: TimestampScheme, now: number): void => {
  const seconds = Number(text) - now / 1000;
  if (Math.abs(seconds) <= toleranceSeconds) {
    return;
  }
  throw new WebhookError(
    'TIMESTAMP_OUT_OF_TOLERANCE',
    `The delivery was signed ${Math.abs(Math.round(seconds))} s ${seconds < 0 ? 'ago' : 'ahead of now'}, beyond the ${toleranceSeconds} s of signature.timestamp.toleranceSeconds. It is a replay, or a clock is wrong.`,
  );
};
