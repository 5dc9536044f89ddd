import { typeName } from '@confab/internal';
import type { Bytes, RawBody } from '../body.ts';
import { toBytes } from '../body.ts';
import { WebhookConfigurationError } from '../errors.ts';
import type { HeadersLike } from '../headers.ts';
import { forEachHeader } from '../headers.ts';
import { checkNames } from '../options.ts';
import { createEqualDigests, createHmac } from '../signature/hmac.ts';
import type { Signature } from '../signature/plain.ts';
import { isScheme } from '../signature/scheme.ts';
import type { Secret } from '../signature/secret.ts';
import type { Candidate, Header } from './candidates.ts';
import { candidatesFor, holdsDigest, SEPARATORS } from './candidates.ts';
import type { SecretForm } from './secret-forms.ts';
import { SECRET_FORMS, secretForms } from './secret-forms.ts';

/** A captured delivery, and the secret that it should be signed with. */
export interface CapturedDelivery {
  /** All headers of the delivery. */
  headers: HeadersLike;
  /** The body, exactly as it arrived. */
  body: RawBody;
  /** The secret that the sender should have signed with. */
  secret: Secret;
}

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

/**
 * The maximum number of digests that one detection computes. A delivery with ten headers that hold digits needs about
 * 200. A stranger could send many headers with a large body, and each digest blocks the process.
 */
const MAX_DIGESTS = 512;

/** The maximum number of bytes that one detection hashes: about 60 ms of work, and 32 digests of the largest body. */
const MAX_BYTES = 33_554_432;

type Found = DetectedSignature & { readonly found: true };

/** One digest to compute: a way of signing, with the secret in one form. */
type Attempt = Pick<Candidate, 'preamble' | 'signatures'> & {
  readonly form: SecretForm;
  readonly key: Bytes;
};

/** Lists all digests to compute, the usual form of the secret first. */
const attemptsFor = (headers: readonly Header[], secret: Secret): Attempt[] => {
  const candidates = candidatesFor(headers, secret);
  return SECRET_FORMS.flatMap((form) =>
    candidates.flatMap(({ preamble, signatures, keys }) => {
      const key = keys.get(form);
      return key ? [{ preamble, signatures, form, key }] : [];
    }),
  );
};

const search = async (attempts: readonly Attempt[], body: Bytes): Promise<Found | undefined> => {
  const equalDigests = createEqualDigests();
  for (const { preamble, signatures, form, key } of attempts) {
    const digest = await createHmac(key)(preamble, body);
    const match = signatures.find(({ bytes }) => equalDigests(digest, bytes));
    if (match !== undefined) {
      return { found: true, signature: match.option(), secret: form };
    }
  }
  return undefined;
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

const describe = ([name, value]: Header): string[] => {
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
  checkNames<CapturedDelivery>('option of detectSignature', captured, ['headers', 'body', 'secret']);
  const { headers, body, secret } = captured;
  const bytes = toBytes(body);
  if (bytes === undefined) {
    throw new WebhookConfigurationError(
      `body must be the bytes or the text that arrived, got ${typeName(body)}.`,
    );
  }
  const pairs: Header[] = [];
  forEachHeader(headers, (name, value) => pairs.push([name.toLowerCase(), value]));
  const attempts = attemptsFor(pairs, secret);
  const limit = Math.min(MAX_DIGESTS, Math.floor(MAX_BYTES / (bytes.byteLength || 1)));
  const detected = await search(attempts.slice(0, limit), bytes);
  if (detected !== undefined) {
    return detected;
  }

  const trimmed = withoutLineFeed(bytes);
  const left = Math.max(0, limit - attempts.length);
  const signedWithout = trimmed && (await search(attempts.slice(0, left), trimmed));
  const names = pairs.map(([name]) => name).join(', ') || 'none, were they captured?';
  const tried = [
    `the end of each header (${names}), as hex, base64 and base64url of HMAC-SHA256`,
    `the body (${bytes.byteLength} bytes) alone, and after each header with a Unix time and one of the separators ${SEPARATORS.map((separator) => JSON.stringify(separator)).join(' ')}`,
    'the headers of Standard Webhooks with any prefix, and headers such as "t=1700000000,v1=…"',
    `the secret read as: ${[...secretForms(secret).keys()].join(', ')}`,
  ];
  if (!pairs.some(holdsDigest)) {
    tried.push('no header holds 32 bytes in hex or base64, as an HMAC-SHA256 has');
  }
  if (attempts.length > limit) {
    tried.push(
      `the first ${limit} combinations only: too many headers could belong to a signature of a body of this size`,
    );
  }
  tried.push(...pairs.flatMap(describe));
  if (signedWithout) {
    const { signature } = signedWithout;
    tried.push(
      `${isScheme(signature) ? signature.source : signature.header} matches the body without its last line feed, which may have been added on capture`,
    );
  }
  return { found: false, tried };
};
