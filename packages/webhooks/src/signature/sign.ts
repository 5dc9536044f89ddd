import { namesOf } from '@confab/internal';
import { isWellFormed } from '../bytes/is-well-formed.ts';
import type { RawBody } from '../bytes/to-bytes.ts';
import { toBytes } from '../bytes/to-bytes.ts';
import { WebhookConfigurationError } from '../errors/webhook-configuration-error.ts';
import { checkKnown } from '../options/check-known.ts';
import type { Hmac } from './hmac.ts';
import { platformHmac } from './platform-hmac.ts';
import type { Secret } from './secret.ts';
import { secretBytes } from './secret.ts';
import { encodeSignature } from './signature-encoding.ts';
import type { SignatureOptions } from './signature-options.ts';
import { signatureScheme } from './signature-options.ts';

/** Options of {@link sign}. */
export interface SignOptions {
  /** The receiver's secret. */
  secret: Secret;
  /** The header of the signature and its format. Use the same value as the receiver. */
  signature: SignatureOptions;
  /**
   * The Unix time in seconds, for a scheme with a timestamp.
   * @default the current time
   */
  timestamp?: number | undefined;
}

const NAMES = /* @__PURE__ */ namesOf<SignOptions>({ secret: true, signature: true, timestamp: true });

/** `sign` with a specific implementation of HMAC. */
export const signWith = async (
  hmac: Hmac,
  body: RawBody,
  options: SignOptions,
): Promise<Record<string, string>> => {
  checkKnown('option of sign', options, NAMES);
  const scheme = signatureScheme(options.signature, checkKnown);
  const key = hmac.key(secretBytes(options.secret));
  const bytes = toBytes(body);
  if (bytes === undefined || (typeof body === 'string' && !isWellFormed(body))) {
    throw new WebhookConfigurationError(
      'The body to sign must be a well-formed string, a Uint8Array or an ArrayBuffer. Stringify an object first, and send that exact string.',
    );
  }
  const headers: Record<string, string> = {};
  let preamble = '';
  if (scheme.timestamp) {
    const { timestamp = Math.floor(Date.now() / 1000) } = options;
    if (!Number.isSafeInteger(timestamp) || timestamp < 0) {
      throw new WebhookConfigurationError(
        `timestamp must be a Unix time in whole seconds, got ${timestamp}.`,
      );
    }
    headers[scheme.timestamp.header] = String(timestamp);
    preamble = timestamp + scheme.timestamp.separator;
  }
  const encoding = scheme.encoding === 'auto' ? 'hex' : scheme.encoding;
  headers[scheme.header] = scheme.prefix + encodeSignature(await key(preamble, bytes), encoding);
  return headers;
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
