import { anyValue, checkThat } from '@confab/internal';
import type { Bytes, RawBody } from '../body.ts';
import { DEFAULT_MAX_BODY_BYTES, toBytes } from '../body.ts';
import { decompress } from '../decompress.ts';
import type { Header, HeadersLike } from '../headers.ts';
import { listHeaders } from '../headers.ts';
import { checkOptions } from '../option-checks.ts';
import type { SignatureEncoding } from '../signature/encoding.ts';
import { decodeSignature, SIGNATURE_ENCODINGS } from '../signature/encoding.ts';
import { createEqualDigests, createHmac } from '../signature/hmac.ts';
import type { Signature, TimestampUnit } from '../signature/scheme.ts';
import type { Secret } from '../signature/secret.ts';
import { toSecretBytes } from '../signature/secret.ts';
import { standardWebhooks } from '../signature/standard-webhooks.ts';
import { timestamped } from '../signature/timestamped.ts';
import type { SecretForm } from './secret-forms.ts';
import { decodeSecret } from './secret-forms.ts';

/** A captured delivery, and its secret. */
export interface CapturedDelivery {
  /** All headers of the delivery. */
  headers: HeadersLike;
  /** The body, exactly as it arrived. */
  body: RawBody;
  /** The secret with which the sender should have signed the delivery. */
  secret: Secret;
}

/** The result of `detectSignature`. */
export type DetectedSignature =
  | {
      /** Whether a signature was found. */
      readonly found: true;
      /** The value to use as the `signature` option. A scheme has its code in `source`. */
      readonly signature: Signature;
      /** How the sender reads the secret. Unless this is "as given", decode the secret and pass its bytes. */
      readonly secret: SecretForm;
    }
  | {
      /** Whether a signature was found. */
      readonly found: false;
      /** One line for each attempt and each observation. */
      readonly tried: readonly string[];
    };

/** A possible signature: it is genuine if it is the HMAC of the preamble and the body. */
interface Candidate {
  readonly bytes: Uint8Array;
  readonly preamble: string;
  readonly key: Bytes;
  /** Returns the value of the `signature` option that reads it. */
  readonly option: () => Signature;
}

/** The delivery in which to find a signature. */
interface Search {
  readonly headers: readonly Header[];
  readonly body: Bytes;
  readonly secret: Secret;
  /** Options that every scheme has. */
  readonly common: { readonly decompress?: true };
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

/** The number of characters of 32 bytes in hex, base64 and base64url. */
const SIGNATURE_LENGTHS = [64, 44, 43];

/** A header with more fields is skipped: all pairs of fields are tried, and a stranger may have sent the header. */
const MAX_FIELDS = 16;

/** The defaults of `timestamped()`, which a result leaves out. */
const TIMESTAMPED_DEFAULTS: Readonly<Record<string, string>> = {
  timestampField: 't',
  signatureField: 'v1',
  delimiter: ',',
  separator: '.',
  encoding: 'hex',
  unit: 'seconds',
};

/** The unit of a text that {@link isUnixTime} accepts. */
const guessUnit = (time: string): TimestampUnit => (time.length > 10 ? 'milliseconds' : 'seconds');

/** Whether a text looks like a Unix time in seconds or milliseconds, of any year from 2001 to 2065. */
const isUnixTime = ([, text]: Header): boolean => /^[12]\d{9}(?:\d{3})?$/.test(text);

/** Whether a header could hold an HMAC-SHA256: 32 bytes take 64 digits of hex or 43 characters of base64. */
const holdsDigest = ([, value]: Header): boolean => /[\w+/-]{43}/.test(value);

/** Decodes a text in each encoding in which it could be 32 bytes. */
const decodeAll = (text: string): [SignatureEncoding, Uint8Array][] =>
  SIGNATURE_ENCODINGS.flatMap((encoding) => {
    const bytes = decodeSignature(text, encoding);
    return bytes === undefined ? [] : [[encoding, bytes]];
  });

/** A signature at the end of a header, of the body alone or of a timestamp from a second header and the body. */
function* plainCandidates({ headers, common }: Search, key: Bytes): Generator<Candidate> {
  const endings = headers.flatMap(([header, value]) =>
    SIGNATURE_LENGTHS.flatMap((length) => {
      const prefix = value.slice(0, -length);
      return decodeAll(value.slice(-length)).map(([encoding, bytes]) => ({
        bytes,
        format: { header, encoding, ...(prefix && { prefix }) },
      }));
    }),
  );
  const timestamps = headers.filter(isUnixTime).flatMap(([header, time]) =>
    SEPARATORS.map((separator) => ({
      preamble: time + separator,
      timestamp: { header, separator, ...(guessUnit(time) === 'milliseconds' && { unit: guessUnit(time) }) },
    })),
  );
  for (const { preamble, ...timestamp } of [{ preamble: '' }, ...timestamps]) {
    for (const { bytes, format } of endings) {
      yield { bytes, preamble, key, option: () => ({ ...format, ...timestamp, ...common }) };
    }
  }
}

/** The three headers of Standard Webhooks, with any prefix. */
function* standardCandidates({ headers, common }: Search, secret: Secret): Generator<Candidate> {
  for (const [name] of headers.filter(holdsDigest)) {
    const [, headerPrefix] = /^([\w-]+)-signature$/.exec(name) ?? [];
    if (headerPrefix === undefined) {
      continue;
    }
    const scheme = standardWebhooks({ ...(headerPrefix !== 'webhook' && { headerPrefix }), ...common });
    try {
      const { preamble, signatures } = scheme.read(headers);
      const key = scheme.key(secret);
      yield* signatures.map((bytes) => ({ bytes, preamble, key, option: () => scheme }));
    } catch {
      // The header belongs to a different scheme, or the secret is not base64.
    }
  }
}

/** The fields of one header: a timestamp and signatures, as in `t=1700000000,v1=9f86…`. */
function* timestampedCandidates(
  [header, value]: Header,
  { common }: Search,
  key: Bytes,
): Generator<Candidate> {
  for (const delimiter of DELIMITERS) {
    const fields = value.split(delimiter).flatMap((item): [string, string][] => {
      const [, name, text] = /^(\w{1,64})=(.+)$/.exec(item) ?? [];
      return name && text ? [[name, text]] : [];
    });
    if (fields.length > MAX_FIELDS) {
      continue;
    }
    const signatures = fields.flatMap(([signatureField, text]) =>
      decodeAll(text).map(([encoding, bytes]) => ({ signatureField, encoding, bytes })),
    );
    for (const [timestampField, time] of fields.filter(isUnixTime)) {
      // timestamped() refuses an empty separator.
      for (const separator of SEPARATORS.filter((text) => text !== '')) {
        for (const { signatureField, encoding, bytes } of signatures) {
          const unit = guessUnit(time);
          const options = { timestampField, signatureField, delimiter, separator, encoding, unit };
          const changed = Object.entries(options).filter(
            ([name, text]) => text !== TIMESTAMPED_DEFAULTS[name],
          );
          const option = () => timestamped({ header, ...Object.fromEntries(changed), ...common });
          yield { bytes, preamble: time + separator, key, option };
        }
      }
    }
  }
}

/** All candidates with one form of the secret. */
function* allCandidates(search: Search, form: SecretForm, key: Bytes): Generator<Candidate> {
  yield* plainCandidates(search, key);
  // This scheme decodes a text itself, so it gets the secret as it was given.
  yield* standardCandidates(search, form === 'as given' ? search.secret : key);
  for (const header of search.headers.filter(holdsDigest)) {
    yield* timestampedCandidates(header, search, key);
  }
}

/** Whether a header ends with 32 bytes in hex or base64. */
const endsWithDigest = ([, value]: Header): boolean =>
  /(?<![\w+/-])(?:[0-9a-f]{64}|[\w+/-]{43}=?)$/.test(value);

/** Lists the failed attempts, and other observations. */
const describeAttempts = ({ headers, body }: Search, forms: Iterable<SecretForm>): string[] => {
  const tried = [
    `the end of each header (${headers.map(([name]) => name).join(', ') || 'none: were the headers captured?'}), as hex, base64 and base64url of HMAC-SHA256`,
    `the body (${body.byteLength} bytes) alone, and after each header with a Unix time and one of the separators ${SEPARATORS.map((separator) => JSON.stringify(separator)).join(' ')}`,
    'the headers of Standard Webhooks with any prefix, and headers such as "t=1700000000,v1=…"',
    `the secret read as: ${[...forms].join(', ')}`,
  ];
  if (!headers.some(holdsDigest)) {
    tried.push('no header holds 32 bytes in hex or base64, the size of an HMAC-SHA256');
  }
  if (body.at(-1) === 0x0a) {
    tried.push('the body ends with a line feed, which may have been added on capture');
  }
  for (const [name] of headers.filter(([, value]) => /(?<!\w)(?=\d*[A-F])[0-9A-F]{64}$/.test(value))) {
    tried.push(`${name} has 32 bytes in upper-case hex, which is refused: convert it to lower case`);
  }
  for (const [name] of headers.filter(endsWithDigest)) {
    tried.push(
      `${name} has 32 bytes that are not the signature of this body under this secret. Is the body exactly what arrived, and is the secret right?`,
    );
  }
  return tried;
};

/** Tries all candidates until one of them is a signature of the body. */
const tryAll = async (search: Search): Promise<DetectedSignature> => {
  const { body } = search;
  const forms = decodeSecret(search.secret);
  const limit = Math.min(MAX_DIGESTS, Math.floor(MAX_BYTES / (body.byteLength || 1)));
  const equalDigests = createEqualDigests();
  let count = 0;
  let hashed: Candidate | undefined;
  let digest: Uint8Array = new Uint8Array();
  for (const [form, decoded] of forms) {
    for (const candidate of allCandidates(search, form, decoded)) {
      const { preamble, key, bytes, option } = candidate;
      if (hashed?.preamble !== preamble || hashed.key !== key) {
        if (count === limit) {
          const limited = `the first ${limit} combinations only: too many headers could belong to a signature of a body of this size`;
          return { found: false, tried: [...describeAttempts(search, forms.keys()), limited] };
        }
        digest = await createHmac(key)(preamble, body);
        hashed = candidate;
        count += 1;
      }
      if (equalDigests(digest, bytes)) {
        return { found: true, signature: option(), secret: form };
      }
    }
  }
  return { found: false, tried: describeAttempts(search, forms.keys()) };
};

/**
 * Finds the header and the encoding of a captured delivery's signature, because the API documents neither.
 *
 * Use it during development only: it accepts any header that matches, and does not check the delivery's age.
 *
 * @throws A {@link WebhookConfigurationError} when the body is not raw, or the secret is invalid.
 *
 * @example
 * ```ts
 * const detected = await detectSignature({ headers, body, secret });
 * if (detected.found) createWebhooks({ secret, signature: detected.signature });
 * else console.log(detected.tried.join('\n'));
 * ```
 */
export const detectSignature = async (captured: CapturedDelivery): Promise<DetectedSignature> => {
  const isRaw = checkThat((body) => toBytes(body) !== undefined, 'the bytes or the text that arrived');
  const checks = { headers: anyValue, body: isRaw, secret: anyValue };
  checkOptions('detectSignature option', captured, checks, ['body']);
  const { secret } = captured;
  toSecretBytes(secret);
  const body = toBytes(captured.body) as Bytes;
  const headers = listHeaders(captured.headers).map(([name, value]): Header => [name.toLowerCase(), value]);
  const detected = await tryAll({ headers, body, secret, common: {} });
  if (detected.found) {
    return detected;
  }
  const tried = [...detected.tried];
  try {
    const signed = await decompress(body, headers, DEFAULT_MAX_BODY_BYTES);
    if (signed !== body) {
      const further = await tryAll({ headers, body: signed, secret, common: { decompress: true } });
      if (further.found) {
        return further;
      }
      tried.push('the same with the body decompressed');
    }
  } catch (error) {
    tried.push((error as Error).message);
  }
  return { found: false, tried };
};
