import { namesOf, typeName } from '@confab/internal';
import type { Bytes, RawBody } from '../body.ts';
import { toBytes } from '../body.ts';
import { WebhookConfigurationError } from '../errors.ts';
import type { HeadersLike } from '../headers.ts';
import { forEachHeader } from '../headers.ts';
import { checkNames } from '../options.ts';
import { encodeSignature, SIGNATURE_ENCODINGS } from '../signature/encoding.ts';
import { createHmac } from '../signature/hmac.ts';
import type { Signature, SignatureOptions } from '../signature/plain.ts';
import { isScheme } from '../signature/scheme.ts';
import type { Secret } from '../signature/secret.ts';
import type { Attempts } from './attempts.ts';
import { createAttempts } from './attempts.ts';
import type { HeadersToSearch } from './detect-scheme.ts';
import { detectScheme } from './detect-scheme.ts';
import type { SecretForm } from './secret-forms.ts';
import { secretForms } from './secret-forms.ts';
import type { SignedPreamble } from './signed-preambles.ts';
import { SEPARATORS, signedPreambles } from './signed-preambles.ts';

/** A captured delivery, and the secret that it should be signed with. */
export interface CapturedDelivery {
  /** All headers of the delivery. */
  headers: HeadersLike;
  /** The body, exactly as it arrived. */
  body: RawBody;
  /** The secret that the sender should have signed with. */
  secret: Secret;
}

const NAMES = /* @__PURE__ */ namesOf<CapturedDelivery>({ headers: true, body: true, secret: true });

/** The result of `detectSignature`. */
export type DetectedSignature =
  | {
      /** Whether a signature was found. */
      readonly found: true;
      /** The value to use as the `signature` option. A scheme has its code in `source`. */
      readonly signature: Signature;
      /** How the sender reads the secret. Unless it is "as given", decode the secret and pass its bytes. */
      readonly secret: SecretForm;
    }
  | {
      /** Whether a signature was found. */
      readonly found: false;
      /** One line for each attempt and each observation. */
      readonly tried: readonly string[];
    };

type Pair = readonly [name: string, value: string];

const findIn = (
  headers: readonly Pair[],
  digest: Uint8Array,
  { timestamp }: SignedPreamble,
): SignatureOptions | undefined => {
  for (const encoding of SIGNATURE_ENCODINGS) {
    const unpadded = encodeSignature(digest, encoding);
    for (const spelled of encoding === 'base64url' ? [unpadded, `${unpadded}=`] : [unpadded]) {
      const match = headers.find(([, value]) => value.endsWith(spelled));
      if (match === undefined) {
        continue;
      }
      const prefix = match[1].slice(0, -spelled.length);
      return { header: match[0], encoding, ...(prefix && { prefix }), ...(timestamp && { timestamp }) };
    }
  }
  return undefined;
};

/** Whether a header could hold an HMAC-SHA256: 32 bytes take 64 digits of hex or 43 characters of base64. */
const holdsDigest = ([, value]: Pair): boolean => /[\w+/-]{43}/.test(value);

const search = async (
  { headers, signed }: HeadersToSearch,
  body: Bytes,
  secret: Secret,
  attempts: Attempts,
): Promise<(DetectedSignature & { found: true }) | undefined> => {
  if (signed.length === 0) {
    return undefined;
  }
  const preambles = signedPreambles(headers);
  for (const [form, bytes] of secretForms(secret)) {
    const hmac = createHmac(bytes);
    for (const preamble of preambles) {
      if (!attempts.next(body.byteLength)) {
        return undefined;
      }
      const signature = findIn(signed, await hmac(preamble.text, body), preamble);
      if (signature !== undefined) {
        return { found: true, signature, secret: form };
      }
    }
  }
  const detected = await detectScheme({ headers, signed }, body, secret, attempts);
  return detected && { found: true, signature: detected.scheme, secret: detected.secret };
};

const LOOKS_LIKE: readonly (readonly [pattern: RegExp, description: string])[] = [
  [
    /(?<![0-9a-f])[0-9a-f]{64}$/,
    'has 32 bytes in hex that are not the signature of this body under this secret. Is the body exactly what arrived, and is the secret right?',
  ],
  [/(?<![0-9A-F])[0-9A-F]{64}$/, 'has 32 bytes in uppercase hex, which is not supported'],
  [/(?<![0-9a-f])[0-9a-f]{40}$/i, 'has 20 bytes in hex, which could be SHA-1'],
  [/(?<![0-9a-f])[0-9a-f]{128}$/i, 'has 64 bytes in hex, which could be SHA-512'],
  [
    /(?<![\w+/-])[\w+/-]{43}=?$/,
    'could have 32 bytes in base64, but they are not the signature of this body under this secret',
  ],
];

const describe = ([name, value]: Pair): string[] => {
  const match = LOOKS_LIKE.find(([pattern]) => pattern.test(value));
  return match ? [`${name} ${match[1]}`] : [];
};

/** Returns the body without the line feed that `echo` and many editors append. */
const withoutLineFeed = (body: Bytes): Bytes | undefined =>
  body.at(-1) === 0x0a ? body.subarray(0, body.at(-2) === 0x0d ? -2 : -1) : undefined;

/**
 * Finds the header and the encoding of a captured delivery's signature, because the API documents neither.
 *
 * Use it during development only: it accepts any header that matches, and does not check the delivery's age.
 *
 * @throws {@link WebhookConfigurationError} When the body is not raw, or the secret is invalid.
 *
 * @example
 * ```ts
 * const detected = await detectSignature({ headers, body, secret });
 * if (detected.found) createWebhooks({ secret, signature: detected.signature });
 * else console.log(detected.tried.join('\n'));
 * ```
 */
export const detectSignature = async (captured: CapturedDelivery): Promise<DetectedSignature> => {
  checkNames('option of detectSignature', captured, NAMES);
  const { headers, body, secret } = captured;
  const bytes = toBytes(body);
  if (bytes === undefined) {
    throw new WebhookConfigurationError(
      `body must be the bytes or the text that arrived, got ${typeName(body)}.`,
    );
  }
  const pairs: Pair[] = [];
  forEachHeader(headers, (name, value) => pairs.push([name.toLowerCase(), value]));
  const searched = { headers: pairs, signed: pairs.filter(holdsDigest) };
  const attempts = createAttempts();
  const detected = await search(searched, bytes, secret, attempts);
  if (detected !== undefined) {
    return detected;
  }

  const trimmed = withoutLineFeed(bytes);
  const signedWithout = trimmed && (await search(searched, trimmed, secret, attempts));
  const names = pairs.map(([name]) => name).join(', ') || 'none, were they captured?';
  const tried = [
    `the end of each header (${names}), as hex, base64 and base64url of HMAC-SHA256`,
    `the body (${bytes.byteLength} bytes) alone, and after each header with a Unix time and one of the separators ${SEPARATORS.map((separator) => JSON.stringify(separator)).join(' ')}`,
    'the headers of Standard Webhooks with any prefix, and headers such as "t=1700000000,v1=…"',
    `the secret read as: ${[...secretForms(secret).keys()].join(', ')}`,
    ...(searched.signed.length === 0
      ? ['no header holds 32 bytes in hex or base64, as an HMAC-SHA256 has']
      : []),
    ...attempts.skipped,
    ...pairs.flatMap(describe),
    ...(signedWithout
      ? [
          `${isScheme(signedWithout.signature) ? signedWithout.signature.source : signedWithout.signature.header} matches the body without its last line feed, which may have been added on capture`,
        ]
      : []),
  ];
  return { found: false, tried };
};
