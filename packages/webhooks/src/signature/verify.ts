import type { Bytes } from '../bytes/to-bytes.ts';
import { WebhookError } from '../errors/webhook-error.ts';
import { whenAllHere, whenHere } from '../timing/when-here.ts';
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

/**
 * Verifies the signature of a body. Returns a promise only if the HMAC does, because most deliveries need no turn of the
 * event loop.
 *
 * @throws {@link WebhookError} When the signature is not genuine.
 */
export type Verifier = (body: Bytes | string, headers: unknown) => Verified | Promise<Verified>;

/**
 * Creates a verifier. Each secret is prepared once and stays in this closure.
 *
 * @param now Returns the milliseconds since 1970.
 */
export const createVerifier = (
  hmac: Hmac,
  secrets: readonly IndexedSecret[],
  scheme: SignatureReader,
  now: () => number,
): Verifier => {
  const keys = secrets.map(({ bytes }) => hmac.key(bytes));
  return (body, headers) => {
    const { signatures, preamble, timestamp, id } = scheme.read(headers);
    const check = (digests: readonly Uint8Array[]): Verified => {
      let matching = -1;
      // All secrets and signatures are compared even after a match, so the duration does not reveal which one is in use.
      for (let at = digests.length - 1; at >= 0; at -= 1) {
        for (const signature of signatures) {
          matching = hmac.equal(digests[at] as Uint8Array, signature) ? at : matching;
        }
      }
      const secret = secrets[matching];
      if (secret === undefined) {
        throw new WebhookError(
          'SIGNATURE_MISMATCH',
          'The signature does not match the body. It is forged, the secret is wrong, or the body was changed (parsed and stringified again?).',
        );
      }
      // Checked after the signature, because only a signed time is the sender's.
      if (timestamp !== undefined) {
        checkTimestamp(timestamp, scheme.toleranceSeconds, now());
      }
      return { secretIndex: secret.index, ...(id && { id }) };
    };
    return whenHere(whenAllHere(keys.map((key) => key(preamble, body))), check);
  };
};
