import { namesOf } from '@confab/internal';
import { isWellFormed } from '../bytes/is-well-formed.ts';
import type { RawBody } from '../bytes/to-bytes.ts';
import { toBytes } from '../bytes/to-bytes.ts';
import { WebhookConfigurationError } from '../errors/webhook-configuration-error.ts';
import { checkKnown } from '../options/check-known.ts';
import type { Hmac } from './hmac.ts';
import { plainWriter } from './plain-writer.ts';
import { platformHmac } from './platform-hmac.ts';
import type { Secret } from './secret.ts';
import { plainScheme } from './signature-options.ts';
import type { Signature } from './signature-scheme.ts';
import { isScheme } from './signature-scheme.ts';

/** Options of {@link sign}. */
export interface SignOptions {
  /** The receiver's secret. */
  secret: Secret;
  /** The scheme, or the header of the signature and its format. Use the same value as the receiver. */
  signature: Signature;
  /**
   * The Unix time in seconds, for a scheme with a timestamp.
   * @default the current time
   */
  timestamp?: number | undefined;
  /**
   * The id of the delivery, for a scheme that signs one. All attempts to deliver the same event have the same id.
   * @default a random id
   */
  id?: string | undefined;
}

const NAMES = /* @__PURE__ */ namesOf<SignOptions>({
  secret: true,
  signature: true,
  timestamp: true,
  id: true,
});

/** `sign` with a specific implementation of HMAC. */
export const signWith = async (
  hmac: Hmac,
  body: RawBody,
  options: SignOptions,
): Promise<Record<string, string>> => {
  checkKnown('option of sign', options, NAMES);
  const { signature, timestamp = Math.floor(Date.now() / 1000), id } = options;
  const scheme = isScheme(signature) ? signature : plainWriter(plainScheme(signature, checkKnown));
  const key = hmac.key(scheme.key(options.secret));
  const bytes = toBytes(body);
  if (bytes === undefined || (typeof body === 'string' && !isWellFormed(body))) {
    throw new WebhookConfigurationError(
      'The body must be a well-formed string, a Uint8Array or an ArrayBuffer. Stringify an object first, and send that string.',
    );
  }
  if (!Number.isSafeInteger(timestamp) || timestamp < 0) {
    throw new WebhookConfigurationError(`timestamp must be a Unix time in whole seconds, got ${timestamp}.`);
  }
  return scheme.write({ timestamp, id }, async (preamble) => key(preamble, bytes));
};

/**
 * Signs a body as the service does, for tests, mocks and replays.
 *
 * @returns The headers to send with exactly these bytes. Their names are lowercase.
 * @throws {@link WebhookConfigurationError} When an option is invalid or the body is not raw.
 *
 * @example
 * ```ts
 * const body = JSON.stringify({ event: 'message.created', data });
 * const headers = await sign(body, { secret, signature: { header: 'x-webhook-signature' } });
 * await fetch(url, { method: 'POST', body, headers });
 * ```
 */
export const sign = (body: RawBody, options: SignOptions): Promise<Record<string, string>> =>
  signWith(platformHmac(), body, options);
