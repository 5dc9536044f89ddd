import { WebhookError } from '../errors/webhook-error.ts';
import type { Bytes } from './to-bytes.ts';

let decoder: TextDecoder | undefined;

/**
 * Decodes a body whose signature is genuine. A byte order mark is dropped, as RFC 8259 allows.
 *
 * @throws {@link WebhookError} When the bytes are not valid UTF-8, with `code: 'INVALID_ENCODING'`.
 */
export const decodeBody = (body: Bytes | string): string => {
  if (typeof body === 'string') {
    return body.startsWith('\ufeff') ? body.slice(1) : body;
  }
  // Created on first use: the package must be importable in test environments that lack a TextDecoder. The decoder is
  // fatal, because one that replaces invalid bytes would return text that differs from what was signed.
  decoder ??= new TextDecoder('utf-8', { fatal: true });
  try {
    return decoder.decode(body);
  } catch {
    throw new WebhookError(
      'INVALID_ENCODING',
      `The delivery is genuine, but its body (${body.byteLength} bytes) is not valid UTF-8.`,
    );
  }
};
