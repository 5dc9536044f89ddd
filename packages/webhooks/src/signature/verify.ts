import type { Bytes } from '../bytes/to-bytes.ts';
import { WebhookError } from '../errors/webhook-error.ts';
import type { Hmac } from './hmac.ts';
import { readSignature } from './read-signature.ts';
import type { IndexedSecret } from './secret-list.ts';
import type { SignatureScheme } from './signature-options.ts';
import { checkTimestamp, readTimestamp } from './timestamp.ts';

/** A delivery that carries a genuine signature. */
export interface Verified {
  /** The place of its secret in the list that you gave: the first that matches, 0 if there is only one. */
  readonly secretIndex: number;
}

/** Checks the signature of the bytes, and throws a `WebhookError` if it is not genuine. */
export type Verifier = (body: Bytes | string, headers: unknown) => Promise<Verified>;

/** What a verifier is built from. */
export interface VerifierParts {
  readonly hmac: Hmac;
  readonly secrets: readonly IndexedSecret[];
  readonly scheme: SignatureScheme;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Builds the check of a signature: each secret is prepared once, and lives in this closure alone. */
export const createVerifier = ({ hmac, secrets, scheme, now }: VerifierParts): Verifier => {
  const keys = secrets.map(({ index, bytes }) => ({ index, key: hmac.key(bytes) }));
  const { timestamp } = scheme;
  return async (body, headers) => {
    const signature = readSignature(headers, scheme);
    const signedAt = timestamp && readTimestamp(headers, timestamp);
    const lead = timestamp ? signedAt + timestamp.separator : '';
    let secretIndex = -1;
    // Every secret is tried, whichever matches, so that the time taken does not tell which one is in use.
    for (const { index, key } of keys) {
      const digest = key(lead, body);
      // Awaiting what is here already would cost a turn of the microtask queue for each secret.
      const matches = hmac.equal(digest instanceof Uint8Array ? digest : await digest, signature);
      if (matches && secretIndex === -1) {
        secretIndex = index;
      }
    }
    if (secretIndex === -1) {
      throw new WebhookError(
        'SIGNATURE_MISMATCH',
        `The signature is not that of this body under ${keys.length === 1 ? 'the secret' : `any of the ${keys.length} secrets`}. It is forged, the secret is another, or the body was changed on the way (parsed and stringified again?).`,
      );
    }
    // After the signature, so that only a time that the sender vouches for is judged.
    if (timestamp && signedAt !== undefined) {
      checkTimestamp(signedAt, timestamp, now());
    }
    return { secretIndex };
  };
};
