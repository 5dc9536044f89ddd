import { isBoolean } from '@confab/internal';
import type { Bytes } from '../body.ts';
import { WebhookConfigurationError, WebhookError } from '../errors.ts';
import { readSingleHeader } from '../headers.ts';
import { checkOptions, DEFAULT_TOLERANCE, isHeaderName, isSeconds } from '../option-checks.ts';
import { decodeBase64, decodeSignature, encodeSignature } from './encoding.ts';
import type { SignatureScheme } from './scheme.ts';
import { formatLength, formatSource, noSignatureError, readSignatureList, readTimestamp } from './scheme.ts';
import type { Secret } from './secret.ts';
import { toSecretBytes } from './secret.ts';

/** Options of {@link standardWebhooks}. */
export interface StandardWebhooksOptions {
  /**
   * The prefix of the names of the three headers, in any case. For Svix, which sends `svix-id`, it is `svix`.
   * @default 'webhook'
   */
  headerPrefix?: string | undefined;
  /**
   * Seconds by which the timestamp may differ from the current time, in either direction.
   * @default 300
   */
  toleranceSeconds?: number | undefined;
  /**
   * Set this if the body is compressed after it was signed: see `SignatureOptions`.
   * @default false
   */
  decompress?: boolean | undefined;
}

/** Visible ASCII without the period, which separates the id from the timestamp in the signed bytes. */
const ID = /^[!-\-/-~]{1,256}$/;

const VERSION = 'v1,';

const SECRET_PREFIX = 'whsec_';

/** Prefixes of values that are not the secret alone, or not a secret, and the remedy for each. */
const FOREIGN_PREFIXES = [
  ['v1,', 'starts with "v1,", which is not part of it. Pass only the text after it; pass several as a list.'],
  [
    'whpk_',
    'is a public key, whose signatures (v1a) are not supported. Pass the secret, which starts with whsec_.',
  ],
] as const;

/**
 * Decodes the key from a secret in base64, with or without `whsec_` before it. A `Uint8Array` is the key itself.
 *
 * A key may be shorter than the 24 bytes that the specification asks for: docs/decisions/0204.
 */
const decodeKey = (secret: Secret, name = 'secret'): Bytes => {
  const bytes = toSecretBytes(secret, name);
  if (typeof secret !== 'string') {
    return bytes;
  }
  const text = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret;
  try {
    // Padding is optional, because the key is unambiguous without it. atob() alone would also skip white space.
    if (/^[A-Za-z0-9+/]{2,}={0,2}$/.test(text)) {
      return decodeBase64(text);
    }
  } catch {
    // The length is invalid for base64.
  }
  const [
    ,
    reason = 'must be base64, usually with whsec_ before it. If the sender uses its characters as the key, pass new TextEncoder().encode(secret).',
  ] = FOREIGN_PREFIXES.find(([prefix]) => secret.startsWith(prefix)) ?? [];
  throw new WebhookConfigurationError(`\`${name}\` ${reason}`);
};

/**
 * The scheme of Standard Webhooks: the headers `webhook-id`, `webhook-timestamp` and `webhook-signature`, and secrets
 * such as `whsec_…`, which are the key in base64. The id is signed, so `dedupe: {}` recognizes redeliveries by the id.
 *
 * The specification asks for keys of 24 to 64 random bytes. Like its reference libraries, this scheme accepts any length
 * except 0, because the sender chooses the key. Signatures under a short key can be forged by guessing the key.
 *
 * @throws A {@link WebhookConfigurationError} when an option is invalid.
 *
 * @example
 * ```ts
 * const webhooks = createWebhooks({ secret, signature: standardWebhooks(), dedupe: {} });
 * ```
 */
export const standardWebhooks = (options: StandardWebhooksOptions = {}): SignatureScheme => {
  checkOptions('standardWebhooks option', options, {
    headerPrefix: isHeaderName,
    toleranceSeconds: isSeconds,
    decompress: isBoolean,
  });
  const { headerPrefix = 'webhook', toleranceSeconds = DEFAULT_TOLERANCE } = options;
  const prefix = headerPrefix.toLowerCase();
  const idHeader = `${prefix}-id`;
  const timestampHeader = `${prefix}-timestamp`;
  const header = `${prefix}-signature`;

  return {
    source: formatSource('standardWebhooks', options),
    signsId: true,
    toleranceSeconds,
    decompress: options.decompress,
    key: decodeKey,
    read: (headers) => {
      const id = readSingleHeader(headers, idHeader);
      const timestamp = readTimestamp(headers, timestampHeader);
      if (!ID.test(id)) {
        throw new WebhookError(
          'MALFORMED_SIGNATURE',
          `The "${idHeader}" header must be 1 to 256 visible ASCII characters without a period, got ${formatLength(id)}.`,
        );
      }
      const signatures = readSignatureList(headers, header)
        .split(' ')
        .filter((item) => item.startsWith(VERSION))
        .map((item) => decodeSignature(item.slice(VERSION.length), 'base64'))
        .filter((signature) => signature !== undefined);
      if (signatures.length === 0) {
        throw noSignatureError(header, `"${VERSION}" and 44 characters of padded base64`);
      }
      return { signatures, id, timestamp, preamble: `${id}.${timestamp}.` };
    },
    write: async ({ timestamp, id = `msg_${crypto.randomUUID()}` }, digest) => {
      if (!ID.test(id)) {
        throw new WebhookConfigurationError(
          `\`id\` must be 1 to 256 visible ASCII characters without a period, got ${JSON.stringify(id)}.`,
        );
      }
      return {
        [idHeader]: id,
        [timestampHeader]: String(timestamp),
        [header]: VERSION + encodeSignature(await digest(`${id}.${timestamp}.`), 'base64'),
      };
    },
  };
};
