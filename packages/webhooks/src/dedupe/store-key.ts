import type { Bytes } from '../bytes/to-bytes.ts';
import { encodeSignature } from '../signature/signature-encoding.ts';

/**
 * The key that a store is given: the user's key, and the SHA-256 of the body.
 *
 * A header is not signed. By itself, its value would let whoever captured one delivery repeat it under the ids of
 * deliveries to come, which would then pass for repeats: docs/decisions/0207.
 */
export const storeKey = async (key: unknown, body: Uint8Array): Promise<string | undefined> => {
  if (key === undefined) {
    return undefined;
  }
  if (typeof key !== 'string' || key === '') {
    throw new TypeError(
      `dedupe.key must return a string of at least one character, or undefined, not ${key === '' ? 'an empty string' : typeof key}: deliveries without a key of their own would pass for one another.`,
    );
  }
  const digest = await crypto.subtle.digest('SHA-256', body as Bytes);
  return `${key}:${encodeSignature(new Uint8Array(digest), 'hex')}`;
};
