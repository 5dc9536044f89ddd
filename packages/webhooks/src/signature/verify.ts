import type { Bytes } from '../body.ts';
import { decompress } from '../decompress.ts';
import { WebhookConfigurationError, WebhookError } from '../errors.ts';
import { toHeaders, valuesOf } from '../headers.ts';
import { runUserCodeInTime } from '../run-in-time.ts';
import type { EqualDigests, Hmac } from './hmac.ts';
import { createHmac } from './hmac.ts';
import type { SignatureReader } from './scheme.ts';
import type { Secret, SecretLookup, Secrets } from './secret.ts';
import { describeUnset } from './secret.ts';

/** The result of verifying a genuine signature. */
export interface Verified {
  /** The index of the first matching secret in the option `secret`, or 0 if the option is not a list. */
  readonly secretIndex: number;
  /** The id of the delivery, if the scheme signs one. */
  readonly id: string | undefined;
}

/** The settings of a receiver by which it verifies signatures. */
export interface VerifySettings {
  readonly scheme: SignatureReader;
  /** The secrets, or a function that finds the secrets of a delivery. Its list is empty if the tenant is unknown. */
  readonly secrets: PreparedSecrets | ((headers: unknown, url: string) => Promise<PreparedSecrets>);
  readonly equalDigests: EqualDigests;
  readonly maxBodyBytes: number;
  /** Returns the current time in milliseconds since 1970. */
  readonly now: () => number;
}

/** The secrets of a receiver, ready for many bodies. Their bytes stay in the closures. */
type PreparedSecrets = readonly {
  /** The index in the user's list, in which skipped entries count. */
  readonly secretIndex: number;
  readonly hmac: Hmac;
}[];

/**
 * Prepares each secret. In a list, `undefined` is skipped, because the variable of the old secret is unset between
 * rotations.
 *
 * @throws A {@link WebhookConfigurationError} when there is no secret, or one of them is invalid.
 */
const prepareSecrets = (secrets: Secrets, scheme: SignatureReader): PreparedSecrets => {
  const isList = Array.isArray(secrets);
  const prepared = [secrets].flat().flatMap((secret, secretIndex) => {
    const name = isList ? `secret[${secretIndex}]` : undefined;
    return isList && secret === undefined
      ? []
      : [{ secretIndex, hmac: createHmac(scheme.key(secret as Secret, name)) }];
  });
  if (prepared.length === 0) {
    throw new WebhookConfigurationError(`\`secret\` ${describeUnset('an empty list')}`);
  }
  return prepared;
};

/**
 * Prepares the option `secret`. Secrets are prepared now; the secrets that a function finds are prepared for each delivery.
 *
 * @throws A {@link WebhookConfigurationError} when there is no secret, or one of them is invalid.
 */
export const prepareSecretOption = (
  secret: Secrets | SecretLookup,
  scheme: SignatureReader,
): VerifySettings['secrets'] => {
  if (typeof secret !== 'function') {
    return prepareSecrets(secret, scheme);
  }
  return (headers, url) =>
    runUserCodeInTime('secret()', async () => {
      const found = await secret({ headers: toHeaders(headers), url });
      return found === undefined ? [] : prepareSecrets(found, scheme);
    });
};

/** Refuses a timestamp that is too far in the past or in the future. */
const checkTimestamp = (digits: string, { unit, toleranceSeconds }: SignatureReader, now: number): void => {
  const isMs = unit === 'milliseconds';
  const distance = (inMs: boolean) => (Number(digits) * (inMs ? 1 : 1000) - now) / 1000;
  const seconds = distance(isMs);
  // If the clock returns NaN, this comparison is false, and the timestamp is refused.
  if (Math.abs(seconds) <= toleranceSeconds) {
    return;
  }
  // If the time is closer to now in the other unit, the unit is wrong: no clock is that far off.
  const problem =
    Math.abs(distance(!isMs)) < Math.abs(seconds)
      ? `The timestamp is in ${isMs ? '' : 'milli'}seconds. ${unit ? 'Set `unit`.' : 'This scheme uses seconds.'}`
      : `The delivery was signed ${Math.abs(Math.round(seconds))} s ${seconds < 0 ? 'ago' : 'in the future'}, but toleranceSeconds is ${toleranceSeconds}. It is a replay, or a clock is wrong.`;
  throw new WebhookError('TIMESTAMP_OUT_OF_TOLERANCE', problem);
};

/** Explains why the signature may not match. */
const explainMismatch = (
  body: Bytes | string,
  headers: unknown,
  { scheme }: VerifySettings,
  known: PreparedSecrets,
): string => {
  if (known.length === 0) {
    return '`secret` returned no secret for this delivery.';
  }
  const isEmpty = body.length === 0;
  const cause = isEmpty ? 'something read the body before' : 'the body was parsed and stringified again';
  const [order, remedy] = scheme.decompress ? ['before', 'remove'] : ['after', 'set'];
  const hint =
    valuesOf(headers, 'content-encoding').length > 0
      ? ` If the body was compressed ${order} it was signed, ${remedy} \`decompress\`.`
      : '';
  return `The signature does not match the ${isEmpty ? 'empty ' : ''}body. It is forged, the secret is wrong, or ${cause}.${hint}`;
};

/** A delivery whose signature is genuine. */
interface Genuine<Body> extends Verified {
  /** The signed body. */
  readonly body: Body | Bytes;
  /** The HMAC with the secret of the tenant, if there are several tenants. */
  readonly tenant: Hmac | undefined;
}

/**
 * Verifies the signature of a body, which the scheme may have to decompress first.
 *
 * @throws A {@link WebhookError} when the signature is not genuine.
 */
export const verify = async <Body extends Bytes | string>(
  received: Body,
  headers: unknown,
  verification: VerifySettings,
  url = '',
): Promise<Genuine<Body>> => {
  const { scheme, secrets, equalDigests, maxBodyBytes, now } = verification;
  const { signatures, preamble, timestamp, id } = scheme.read(headers);
  const body = scheme.decompress ? await decompress(received, headers, maxBodyBytes) : received;
  const hasTenants = typeof secrets === 'function';
  const known = hasTenants ? await secrets(headers, url) : secrets;
  let matched: PreparedSecrets[number] | undefined;
  // All secrets and signatures are compared even after a match, so the duration does not reveal which one is in use.
  for (const prepared of known) {
    const digest = await prepared.hmac(preamble, body);
    for (const signature of signatures) {
      // A custom scheme may return signatures of a different length. The length is not secret.
      if (signature.byteLength === digest.byteLength && equalDigests(digest, signature)) {
        matched ??= prepared;
      }
    }
  }
  if (matched === undefined) {
    // An unknown tenant gets the same code as a forgery, because the sender must not learn which tenants exist.
    throw new WebhookError('SIGNATURE_MISMATCH', explainMismatch(body, headers, verification, known));
  }
  // Checked after the signature, because before that, anybody could have written the timestamp.
  if (timestamp !== undefined) {
    checkTimestamp(timestamp, scheme, now());
  }
  const { secretIndex, hmac } = matched;
  return { secretIndex, id, body, tenant: hasTenants ? hmac : undefined };
};
