import { WebhookError } from '../errors/webhook-error.ts';
import type { Bytes } from './to-bytes.ts';

// Fatal, since a decoder that replaces what it cannot read would give other text than was signed.
const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * The text of a body whose signature is genuine. A byte order mark is left out, as RFC 8259 allows.
 *
 * @throws WebhookError `invalid_encoding`.
 */
export const decodeBody = (bytes: Bytes): string => {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new WebhookError(
      'invalid_encoding',
      `The body of ${bytes.byteLength} bytes is genuine, but not UTF-8. The sender must send JSON in UTF-8.`,
    );
  }
};
