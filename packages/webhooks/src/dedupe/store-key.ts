import { typeName } from '@confab/internal';
import type { Bytes } from '../bytes/to-bytes.ts';
import { encodeText } from '../bytes/to-bytes.ts';
import { toHex } from '../bytes/to-hex.ts';
import { WebhookError } from '../errors/webhook-error.ts';

/** The end of the messages about errors before the handlers. */
export const NOT_RUN = 'The handlers did not run. The sender or the queue should retry.';

/** Longer keys are hashed: a header is not signed, so an attacker could fill the store with keys of many kilobytes. */
const MAX_KEY_LENGTH = 256;

const sha256 = async (bytes: Uint8Array): Promise<string> =>
  toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Bytes)));

/**
 * Builds the key for the store from the user's key and the SHA-256 of the body.
 *
 * Headers are not signed. If the key were a header alone, an attacker with one captured delivery could repeat it under
 * the ids of future deliveries, which would then count as repeats: docs/decisions/0205.
 *
 * @throws {@link WebhookError} When the user's key is neither undefined nor a string with a character in it, with
 * `code: 'HANDLER_FAILED'`.
 */
export const storeKey = async (key: unknown, body: Uint8Array): Promise<string | undefined> => {
  if (key === undefined) {
    return undefined;
  }
  if (typeof key !== 'string' || key === '') {
    throw new WebhookError(
      'HANDLER_FAILED',
      `dedupe.key must return undefined or a non-empty string, got ${key === '' ? '""' : typeName(key)}. ${NOT_RUN}`,
    );
  }
  return `${key.length > MAX_KEY_LENGTH ? await sha256(encodeText(key)) : key}:${await sha256(body)}`;
};
