import { typeName } from '@confab/internal';
import type { Bytes, RawBody } from '../body.ts';
import { toBytes } from '../body.ts';
import { WebhookConfigurationError } from '../errors.ts';
import type { HeadersLike } from '../headers.ts';
import { forEachHeader } from '../headers.ts';
import { checkNames } from '../option-checks.ts';
import type { SignatureEncoding } from '../signature/encoding.ts';
import { decodeSignature, SIGNATURE_ENCODINGS } from '../signature/encoding.ts';
import { createEqualDigests, createHmac } from '../signature/hmac.ts';
import type { Signature } from '../signature/scheme.ts';
import { isScheme } from '../signature/scheme.ts';
import type { Secret } from '../signature/secret.ts';
import { standardWebhooks } from '../signature/standard-webhooks.ts';
import { timestamped } from '../signature/timestamped.ts';
import type { SecretForm } from './secret-forms.ts';
import { SECRET_FORMS, secretForms, secretFormsFor } from './secret-forms.ts';

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

/** A header of a delivery, with its name in lower case. */
type Header = readonly [name: string, value: string];

/** A signature in the headers, and the value of the `signature` option that reads it. */
type Candidate = readonly [bytes: Uint8Array, option: () => Signature];

/** A way in which the delivery could be signed: one of the signatures is the HMAC of the preamble and the body. */
interface Way {
  readonly preamble: string;
  readonly keys: ReadonlyMap<SecretForm, Bytes>;
  readonly signatures: readonly Candidate[];
}

/**
 * The maximum number of digests that one detection computes. A delivery with ten headers that hold digits needs about
 * 200. A stranger could send many headers with a large body, and each digest blocks the process.
 */
const MAX_DIGESTS = 512;

/** The maximum number of bytes that one detection hashes: about 60 ms of work, and 32 digests of the largest body. */
const MAX_BYTES = 33_554_432;

/** The separators that senders put between a timestamp and the body. */
const SEPARATORS = ['.', ':', '', '|', '\n'];

const DELIMITERS = [',', ', ', ';', '; ', '&', '|', ' '];

/** The characters that 32 bytes take, as hex, base64 and base64url. */
const LENGTHS = [64, 44, 43];

/** Each field is tried with each other, and a stranger may have sent them. */
const MAX_FIELDS = 16;

/** The options of `timestamped()` that need not be set. */
const DEFAULTS: readonly string[] = ['t', 'v1', ',', '.', 'hex'];

/** Whether a text looks like a Unix time in seconds or milliseconds, of any year from 2001 to 2065. */
const isUnixTime = ([, text]: Header): boolean => /^[12]\d{9}(?:\d{3})?$/.test(text);

/** Whether a header could hold an HMAC-SHA256: 32 bytes take 64 digits of hex or 43 characters of base64. */
const holdsDigest = ([, value]: Header): boolean => /[\w+/-]{43}/.test(value);

/** Lists all spellings of 32 bytes that a text could be. */
const decodings = (text: string): [SignatureEncoding, Uint8Array][] =>
  SIGNATURE_ENCODINGS.flatMap((encoding) => {
    const bytes = decodeSignature(text, encoding);
    return bytes === undefined ? [] : [[encoding, bytes]];
  });

/** A signature at the end of a header, over the body alone or after the timestamp in another header. */
function* plainWays(headers: readonly Header[], keys: Way['keys']): Generator<Way> {
  const endings = headers.flatMap(([header, value]) =>
    LENGTHS.flatMap((length) =>
      decodings(value.slice(-length)).map(([encoding, bytes]) => {
        const prefix = value.slice(0, -length);
        return { bytes, format: { header, encoding, ...(prefix && { prefix }) } };
      }),
    ),
  );
  yield { preamble: '', keys, signatures: endings.map(({ bytes, format }) => [bytes, () => format]) };
  for (const [header, time] of headers.filter(isUnixTime)) {
    for (const separator of SEPARATORS) {
      const timestamp = { header, separator };
      const signatures = endings.map(
        ({ bytes, format }): Candidate => [bytes, () => ({ ...format, timestamp })],
      );
      yield { preamble: time + separator, keys, signatures };
    }
  }
}

/** The three headers of Standard Webhooks, with any prefix. */
function* standardWays(headers: readonly Header[], secret: Secret): Generator<Way> {
  for (const [name] of headers.filter(holdsDigest)) {
    const [, headerPrefix] = /^([\w-]+)-signature$/.exec(name) ?? [];
    if (headerPrefix === undefined) {
      continue;
    }
    const scheme = standardWebhooks(headerPrefix === 'webhook' ? {} : { headerPrefix });
    try {
      const { preamble, signatures } = scheme.read(headers);
      const keys = secretFormsFor(scheme, secret);
      yield { preamble, keys, signatures: signatures.map((bytes) => [bytes, () => scheme]) };
    } catch {
      // The header of another scheme.
    }
  }
}

/** The fields of one header: a timestamp and signatures, as in `t=1700000000,v1=9f86…`. */
function* timestampedWays([header, value]: Header, keys: Way['keys']): Generator<Way> {
  for (const delimiter of DELIMITERS) {
    const fields = value.split(delimiter).flatMap((item): Header[] => {
      const [, name, text] = /^(\w{1,64})=(.+)$/.exec(item) ?? [];
      return name && text ? [[name, text]] : [];
    });
    if (fields.length > MAX_FIELDS) {
      continue;
    }
    const found = fields.flatMap(([signatureField, text]) =>
      decodings(text).map(([encoding, bytes]) => ({ signatureField, encoding, bytes })),
    );
    for (const [timestampField, time] of fields.filter(isUnixTime)) {
      // timestamped() refuses an empty separator.
      for (const separator of SEPARATORS.filter((text) => text !== '')) {
        const optionFor = (signatureField: string, encoding: SignatureEncoding) => {
          const options = { timestampField, signatureField, delimiter, separator, encoding };
          const set = Object.entries(options).filter(([, text], at) => text !== DEFAULTS[at]);
          return timestamped({ header, ...Object.fromEntries(set) });
        };
        const signatures = found.map(
          ({ signatureField, encoding, bytes }): Candidate => [
            bytes,
            () => optionFor(signatureField, encoding),
          ],
        );
        yield { preamble: time + separator, keys, signatures };
      }
    }
  }
}

type Found = DetectedSignature & { readonly found: true };

/** One digest to compute: a way of signing, with the secret in one form. */
interface Attempt extends Way {
  readonly form: SecretForm;
  readonly key: Bytes;
}

/** Lists the digests to compute, the usual form of the secret first. */
function* attemptsFor(headers: readonly Header[], secret: Secret): Generator<Attempt> {
  const keys = secretForms(secret);
  const signed = headers.filter(holdsDigest);
  for (const form of SECRET_FORMS) {
    for (const ways of [
      plainWays(headers, keys),
      standardWays(headers, secret),
      ...signed.map((header) => timestampedWays(header, keys)),
    ]) {
      for (const way of ways) {
        const key = way.keys.get(form);
        if (key !== undefined && way.signatures.length > 0) {
          yield { ...way, form, key };
        }
      }
    }
  }
}

const search = async (attempts: readonly Attempt[], body: Bytes): Promise<Found | undefined> => {
  const equalDigests = createEqualDigests();
  for (const { preamble, signatures, form, key } of attempts) {
    const digest = await createHmac(key)(preamble, body);
    const [, option] = signatures.find(([bytes]) => equalDigests(digest, bytes)) ?? [];
    if (option !== undefined) {
      return { found: true, signature: option(), secret: form };
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
  checkNames('option of detectSignature', captured, ['headers', 'body', 'secret']);
  const { headers, body, secret } = captured;
  const bytes = toBytes(body);
  if (bytes === undefined) {
    throw new WebhookConfigurationError(
      `body must be the bytes or the text that arrived, got ${typeName(body)}.`,
    );
  }
  const pairs: Header[] = [];
  forEachHeader(headers, (name, value) => pairs.push([name.toLowerCase(), value]));
  const limit = Math.min(MAX_DIGESTS, Math.floor(MAX_BYTES / (bytes.byteLength || 1)));
  const attempts: Attempt[] = [];
  for (const attempt of attemptsFor(pairs, secret)) {
    if (attempts.push(attempt) > limit) {
      break;
    }
  }
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
