import { WebhookError } from '../errors/webhook-error.ts';
import type { Bytes } from './to-bytes.ts';

let decoder: TextDecoder | undefined;

/**
 * The text of a body whose signature is genuine. A byte order mark is left out, as RFC 8259 allows.
 *
 * @throws WebhookError `INVALID_ENCODING`.
 */
export const decodeBody = (body: Bytes | string): string => {
  if (typeof body === 'string') {
    return body.startsWith('\ufeff') ? body.slice(1) : body;
  }
  // Made at first use: a test environment without one must be able to import this package. Fatal, since a decoder
  // that replaces what it cannot read would give other text than was signed.
  decoder ??= new TextDecoder('utf-8', { fatal: true });
  try {
    return decoder.decode(body);
  } catch {
    throw new WebhookError(
      'INVALID_ENCODING',
      `The body of ${body.byteLength} bytes is genuine, but not UTF-8. The sender must send JSON in UTF-8.`,
    );
  }
};
