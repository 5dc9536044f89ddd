import { isWellFormed } from '../bytes/is-well-formed.ts';
import type { Bytes } from '../bytes/to-bytes.ts';
import { toBytes } from '../bytes/to-bytes.ts';
import { WebhookConfigurationError } from '../errors/webhook-configuration-error.ts';
import { isPlaceholder, placeholderProblem } from '../options/placeholder.ts';

/** A signing secret: a string stands for its UTF-8 bytes, so decode a base64 or hex secret yourself. */
export type Secret = string | Uint8Array;

// Short, because one in 64 random base64url secrets ends in an underscore too.
const isBarePrefix = (secret: string) => secret.length <= 16 && /^(?:[a-z0-9]+_)+$/i.test(secret);

const problemOf = (secret: unknown): string | undefined => {
  if (secret === undefined || secret === null) {
    return `is ${secret}. Is its environment variable set?`;
  }
  if (typeof secret !== 'string') {
    const bytes = toBytes(secret);
    if (bytes === undefined) {
      return `must be a string or a Uint8Array, not ${typeof secret}.`;
    }
    return bytes.byteLength === 0 ? 'is empty, so anyone could sign.' : undefined;
  }
  if (secret === '') {
    return 'is empty, so anyone could sign. Is its environment variable set?';
  }
  if (isPlaceholder(secret)) {
    return placeholderProblem(secret);
  }
  if (secret.trim() !== secret) {
    return 'begins or ends with white space, which would be hashed too. Remove it.';
  }
  if (isBarePrefix(secret)) {
    return 'is only a prefix, so anyone could sign. Copy the whole secret.';
  }
  if (!isWellFormed(secret)) {
    return 'is not well-formed Unicode. Pass its bytes as a Uint8Array.';
  }
  return undefined;
};

/**
 * The bytes of a secret, copied so that nobody can change them later.
 *
 * @param name What the option is called, for the error; the secret itself never shows.
 * @throws {@link WebhookConfigurationError} if it is missing, empty, a placeholder such as "undefined", padded with
 * white space, or a prefix such as `whsec_` alone.
 */
export const secretBytes = (secret: Secret, name = 'secret'): Bytes => {
  const problem = problemOf(secret);
  const bytes = problem === undefined ? toBytes(secret) : undefined;
  if (bytes === undefined) {
    throw new WebhookConfigurationError(`${name} ${problem}`);
  }
  // Not slice(), which copies nothing if it is a Buffer.
  return new Uint8Array(bytes);
};
