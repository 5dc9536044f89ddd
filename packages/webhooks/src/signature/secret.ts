import { typeName } from '@confab/internal';
import type { Bytes } from '../body.ts';
import { toBytes } from '../body.ts';
import { WebhookConfigurationError } from '../errors.ts';

/** A signing secret. A string is used as its UTF-8 bytes; decode a base64 or hex secret before you pass it. */
export type Secret = string | Uint8Array;

/** One secret, or a list of them during a rotation. */
export type Secrets = Secret | readonly (Secret | undefined)[];

/** The parts of a delivery on which its secret may depend. They are not verified yet. */
export interface SecretRequest {
  /** All headers of the delivery. */
  readonly headers: Headers;
  /**
   * The URL of the request: absolute in `fetch`, its path and query in the other adapters, and empty in `verify` and
   * `unwrap`. `new URL(url, 'http://localhost')` reads all of them.
   */
  readonly url: string;
}

/** Finds the secret of a delivery, or several during a rotation. `undefined` refuses the delivery with 401. */
export type SecretLookup = (request: SecretRequest) => Secrets | undefined | Promise<Secrets | undefined>;

export const describeUnset = (what: unknown): string => `is ${what}. Is its environment variable set?`;

/** Texts that `String()` and templates make from a missing value or an object. */
const PLACEHOLDER = /^(undefined|null|none|\[object \w+])$/i;

const findTextProblem = (secret: string): string | undefined => {
  if (/^\s|\s$|^(["']).*\1$/s.test(secret)) {
    return 'has white space or quotes around it.';
  }
  // Long secrets are not checked, because one in 64 random base64url secrets ends in an underscore.
  if (secret.length <= 16 && /^(?:[a-z0-9]+_)+$/i.test(secret)) {
    return 'is only a prefix.';
  }
  return PLACEHOLDER.test(secret) ? describeUnset(`the text "${secret}"`) : undefined;
};

const findProblem = (secret: unknown): string | undefined => {
  if (secret === undefined || secret === null) {
    return describeUnset(secret);
  }
  const bytes = toBytes(secret);
  if (bytes === undefined) {
    return `must be a string or bytes, got ${typeName(secret)}.`;
  }
  if (bytes.byteLength === 0) {
    return describeUnset('empty');
  }
  return typeof secret === 'string' ? findTextProblem(secret) : undefined;
};

/**
 * Copies the bytes of a secret, so later changes to the original have no effect.
 *
 * @param name The name of the option for the error message, which never contains the secret.
 * @throws A {@link WebhookConfigurationError} when the secret is missing, empty, a placeholder such as "undefined",
 * padded with white space, or only a prefix such as `whsec_`.
 */
export const toSecretBytes = (secret: Secret, name = 'secret'): Bytes => {
  const problem = findProblem(secret);
  if (problem !== undefined) {
    throw new WebhookConfigurationError(`\`${name}\` ${problem}`);
  }
  // slice() would not copy a Buffer.
  return new Uint8Array(toBytes(secret) as Bytes);
};
