import { typeName } from '@confab/internal';
import type { Bytes } from '../bytes/to-bytes.ts';
import { WebhookError } from '../errors/webhook-error.ts';
import { encodeSignature } from '../signature/signature-encoding.ts';

/**
 * The key that a store is given: the user's key, and the SHA-256 of the body.
 *
 * A header is not signed. By itself, its value would let whoever captured one delivery repeat it under the ids of
 * deliveries to come, which would then pass for repeats: docs/decisions/0207.
 *
 * @throws {@link WebhookError} `HANDLER_FAILED` When the user's key is neither a string nor undefined.
 */
export const storeKey = async (key: unknown, body: Uint8Array): Promise<string | undefined> => {
  if (key === undefined) {
    return undefined;
  }
  if (typeof key !== 'string' || key === '') {
    throw new WebhookError(
      'HANDLER_FAILED',
      `dedupe.key must return undefined or a string of at least one character, got ${key === '' ? 'an empty string' : typeName(key)}. The handlers did not run; the response is 500, and the sender retries.`,
    );
  }
  const digest = await crypto.subtle.digest('SHA-256', body as Bytes);
  return `${key}:${encodeSignature(new Uint8Array(digest), 'hex')}`;
};
