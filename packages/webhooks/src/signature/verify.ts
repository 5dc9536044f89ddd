import type { Bytes } from '../body.ts';
import { WebhookConfigurationError, WebhookError } from '../errors.ts';
import { valuesOf } from '../headers.ts';
import type { EqualDigests, Hmac } from './hmac.ts';
import { createHmac } from './hmac.ts';
import type { SignatureReader } from './scheme.ts';
import type { Secret, Secrets } from './secret.ts';
import { unsetProblem } from './secret.ts';

/** The result of verifying a genuine signature. */
export interface Verified {
  /** The index of the first secret that matches in the `secret` option, or 0 if the option is a single secret. */
  readonly secretIndex: number;
  /** The id of the delivery, if the scheme signs one. */
  readonly id?: string;
}

/** What a receiver verifies with. */
export interface Verification {
  readonly scheme: SignatureReader;
  readonly secrets: readonly PreparedSecret[];
  readonly equalDigests: EqualDigests;
  /** Returns the milliseconds since 1970. */
  readonly now: () => number;
}

/** One secret of a receiver, ready for many bodies. Its bytes stay in the closure. */
interface PreparedSecret {
  /** Its index in the user's list, in which gaps count. */
  readonly index: number;
  readonly hmac: Hmac;
}

/**
 * Prepares each secret. In a list, `undefined` is skipped, because the variable of the old secret is unset between
 * rotations.
 *
 * @throws {@link WebhookConfigurationError} When there is no secret, or one of them is invalid.
 */
export const prepareSecrets = (secrets: Secrets, scheme: SignatureReader): PreparedSecret[] => {
  if (!Array.isArray(secrets)) {
    return [{ index: 0, hmac: createHmac(scheme.key(secrets as Secret)) }];
  }
  const prepared = (secrets as readonly (Secret | undefined)[]).flatMap((secret, index) =>
    secret === undefined ? [] : [{ index, hmac: createHmac(scheme.key(secret, `secret[${index}]`)) }],
  );
  if (prepared.length === 0) {
    throw new WebhookConfigurationError(`\`secret\` ${unsetProblem('an empty list')}`);
  }
  return prepared;
};

/** Refuses a timestamp that is too far in the past or in the future. */
const checkTimestamp = (digits: string, { unit, toleranceSeconds }: SignatureReader, now: number): void => {
  const isMs = unit === 'milliseconds';
  const distance = (inMs: boolean) => (Number(digits) * (inMs ? 1 : 1000) - now) / 1000;
  const seconds = distance(isMs);
  if (Math.abs(seconds) <= toleranceSeconds) {
    return;
  }
  // No clock is so wrong that the other unit would be nearer.
  const problem =
    Math.abs(distance(!isMs)) < Math.abs(seconds)
      ? `The timestamp counts ${isMs ? '' : 'milli'}seconds. ${unit ? 'Set `unit`.' : 'This scheme has seconds.'}`
      : `The delivery was signed ${Math.abs(Math.round(seconds))} s ${seconds < 0 ? 'ago' : 'in the future'}, but toleranceSeconds is ${toleranceSeconds}. It is a replay, or a clock is wrong.`;
  throw new WebhookError('TIMESTAMP_OUT_OF_TOLERANCE', problem);
};

/**
 * Verifies the signature of a body.
 *
 * @throws {@link WebhookError} When the signature is not genuine.
 */
export const verify = async (
  body: Bytes | string,
  headers: unknown,
  { scheme, secrets, equalDigests, now }: Verification,
): Promise<Verified> => {
  const { signatures, preamble, timestamp, id } = scheme.read(headers);
  let secretIndex: number | undefined;
  // All secrets and signatures are compared even after a match, so the duration does not reveal which one is in use.
  for (const { index, hmac } of secrets) {
    const digest = await hmac(preamble, body);
    for (const signature of signatures) {
      // A scheme may read signatures of another length. Lengths are no secret.
      if (signature.byteLength === digest.byteLength && equalDigests(digest, signature)) {
        secretIndex ??= index;
      }
    }
  }
  if (secretIndex === undefined) {
    const [encoding] = valuesOf(headers, 'content-encoding');
    const hint = encoding ? ' Pass it as it was signed: before its content-encoding, or after.' : '';
    throw new WebhookError(
      'SIGNATURE_MISMATCH',
      `The signature does not match the body. It is forged, the secret is wrong, or the body was changed (parsed and stringified again?).${hint}`,
    );
  }
  // Checked after the signature, because only a signed time is the sender's.
  if (timestamp !== undefined) {
    checkTimestamp(timestamp, scheme, now());
  }
  return { secretIndex, ...(id && { id }) };
};
