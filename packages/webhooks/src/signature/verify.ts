import type { Bytes } from '../bytes/to-bytes.ts';
import { WebhookError } from '../errors/webhook-error.ts';
import type { Hmac } from './hmac.ts';
import type { SignatureReader } from './plain-reader.ts';
import type { IndexedSecret } from './secret-list.ts';
import { checkTimestamp } from './timestamp.ts';

/** The result of verifying a genuine signature. */
export interface Verified {
  /** The index of the first secret that matches in the `secret` option, or 0 if the option is a single secret. */
  readonly secretIndex: number;
  /** The id of the delivery, if the scheme signs one. */
  readonly id?: string;
}

/** Verifies the signature of a body. Rejects with a `WebhookError` if it is not genuine. */
export type Verifier = (body: Bytes | string, headers: unknown) => Promise<Verified>;

/** The parts of a verifier. */
export interface VerifierParts {
  readonly hmac: Hmac;
  readonly secrets: readonly IndexedSecret[];
  readonly scheme: SignatureReader;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Creates a verifier. Each secret is prepared once and stays in this closure. */
export const createVerifier = ({ hmac, secrets, scheme, now }: VerifierParts): Verifier => {
  const keys = secrets.map(({ index, bytes }) => ({ index, key: hmac.key(bytes) }));
  return async (body, headers) => {
    const { signatures, preamble, timestamp, id } = scheme.read(headers);
    let secretIndex = -1;
    // All secrets and signatures are tried even after a match, so the duration does not reveal which one is in use.
    for (const { index, key } of keys) {
      const digest = key(preamble, body);
      // Awaiting a digest that is already here would cost one turn of the microtask queue per secret.
      const bytes = digest instanceof Uint8Array ? digest : await digest;
      for (const signature of signatures) {
        if (hmac.equal(bytes, signature) && secretIndex === -1) {
          secretIndex = index;
        }
      }
    }
    if (secretIndex === -1) {
      throw new WebhookError(
        'SIGNATURE_MISMATCH',
        `The signature does not match the body under ${keys.length} secret(s). It is forged, the secret is wrong, or the body was changed (parsed and stringified again?).`,
      );
    }
    // Checked after the signature, because only a signed time is the sender's.
    if (timestamp !== undefined) {
      checkTimestamp(timestamp, scheme.toleranceSeconds, now());
    }
    return { secretIndex, ...(id !== undefined && { id }) };
  };
};
