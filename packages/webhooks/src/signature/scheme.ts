import { WebhookError } from '../errors.ts';
import { readSingleHeader } from '../headers.ts';
import type { SignatureEncoding } from './encoding.ts';
import type { Secret } from './secret.ts';

/** The signed parts of a delivery, as a scheme reads them from the headers. They are not verified yet. */
export interface SignedParts {
  /** The signatures, 32 bytes each. One of them must match. */
  readonly signatures: readonly Uint8Array[];
  /** The signed text before the body. */
  readonly preamble: string;
  /** The signed Unix time as digits, in the unit of the scheme. Missing if the scheme signs no timestamp. */
  readonly timestamp?: string | undefined;
  /** The signed id of the delivery, if the scheme signs one. */
  readonly id?: string | undefined;
}

/** The values that a scheme signs in addition to the body. */
export interface SignedValues {
  /** The Unix time in the unit of the scheme. */
  readonly timestamp: number;
  /** The id of the delivery. Schemes that sign an id generate one if it is missing. */
  readonly id: string | undefined;
}

/**
 * A signature scheme with its code. Create one with `standardWebhooks()` or `timestamped()`, and pass it as the
 * `signature` option. Its methods are for `createWebhooks`, `sign` and `detectSignature`.
 */
export interface SignatureScheme {
  /** The code that creates the scheme, such as `standardWebhooks()`. */
  readonly source: string;
  /** Whether each delivery has a signed id, which `dedupe` then uses as the key. */
  readonly signsId: boolean;
  /** Seconds by which the signed timestamp may differ from the current time. */
  readonly toleranceSeconds: number;
  /**
   * The unit of the timestamp.
   * @default 'seconds'
   */
  readonly unit?: TimestampUnit | undefined;
  /**
   * Whether the body was compressed after it was signed.
   * @default false
   */
  readonly decompress?: boolean | undefined;
  /** Converts a secret to the HMAC key. `name` is the name of the option, for error messages. */
  key(secret: Secret, name?: string): Uint8Array<ArrayBuffer>;
  /** Reads the signed parts from the headers of a delivery. */
  read(headers: unknown): SignedParts;
  /** Returns the headers of a delivery. `digest` computes the HMAC of a preamble and the body. */
  write(
    values: SignedValues,
    digest: (preamble: string) => Promise<Uint8Array>,
  ): Promise<Record<string, string>>;
}

/** The header that carries the signature of a delivery, and the format of that signature. */
export interface SignatureOptions {
  /**
   * The name of the header, in any case. The API does not document it; look at a delivery, or call `detectSignature`.
   */
  header: string;
  /**
   * The encoding of the 32 bytes. `auto` accepts all three encodings, and signs in hex.
   * @default 'auto'
   */
  encoding?: SignatureEncoding | 'auto' | undefined;
  /**
   * The text before the signature, such as `sha256=`. Values without this prefix are refused.
   * @default ''
   */
  prefix?: string | undefined;
  /** Set this if the sender signs a timestamp together with the body. */
  timestamp?: TimestampOptions | undefined;
  /**
   * Set this if the sender, or a proxy, compresses the body after it was signed. The receiver then decompresses a body
   * with a `Content-Encoding` (gzip, deflate, or br if the platform supports it) before it verifies the signature.
   * `maxBodyBytes` limits the body before and after.
   * @default false
   */
  decompress?: boolean | undefined;
}

/** A signed timestamp, which limits how long a captured delivery can be replayed. */
export interface TimestampOptions {
  /** The name of the header that carries the Unix time, in any case. */
  header: string;
  /**
   * The unit of the Unix time.
   * @default 'seconds'
   */
  unit?: TimestampUnit | undefined;
  /**
   * Seconds by which the timestamp may differ from the current time, in either direction.
   * @default 300
   */
  toleranceSeconds?: number | undefined;
  /**
   * The text between the timestamp and the body in the signed bytes.
   * @default '.'
   */
  separator?: string | undefined;
}

/** How deliveries are signed: a header and its format, or a scheme such as `standardWebhooks()`. */
export type Signature = SignatureOptions | SignatureScheme;

/** The part of a scheme that verifies deliveries. */
export type SignatureReader = Omit<SignatureScheme, 'source' | 'write'>;

/** The part of a scheme that signs. A bundle with `sign` alone contains no code that verifies. */
export type SignatureWriter = Pick<SignatureScheme, 'key' | 'write' | 'unit'>;

/** Whether a signature option is a scheme that brings its own code. */
export const isScheme = (signature: object | undefined): signature is SignatureScheme =>
  typeof (signature as Partial<SignatureScheme> | undefined)?.read === 'function';

/** Formats the code that creates a scheme, with the options that are set. */
export const formatSource = (name: string, options: object): string => {
  const text = JSON.stringify(options);
  return `${name}(${text === '{}' ? '' : text})`;
};

/** The unit of a Unix time. */
export type TimestampUnit = 'seconds' | 'milliseconds';

/** Formats the length of a text, such as `43 characters`. */
export const formatLength = ({ length }: string): string => `${length} character${length === 1 ? '' : 's'}`;

/** Whether a text is a Unix time. */
export const isTimestamp = (text: string): boolean => /^[0-9]{1,15}$/.test(text);

/**
 * Reads the timestamp as text, because the sender signed these exact characters.
 *
 * @throws A {@link WebhookError} when the timestamp is missing, malformed or repeated, with
 * `code: 'MISSING_SIGNATURE'`, `'MALFORMED_SIGNATURE'` or `'AMBIGUOUS_SIGNATURE'`.
 */
export const readTimestamp = (headers: unknown, header: string): string => {
  const text = readSingleHeader(headers, header);
  if (isTimestamp(text)) {
    return text;
  }
  throw new WebhookError(
    text.includes(',') ? 'AMBIGUOUS_SIGNATURE' : 'MALFORMED_SIGNATURE',
    `The "${header}" header must be one Unix time, 1 to 15 digits, got ${formatLength(text)}.`,
  );
};

/** Enough for dozens of signatures, while senders use one or two. */
const MAX_LIST_LENGTH = 4096;

/**
 * Reads the value of a header that lists signatures.
 *
 * @throws A {@link WebhookError} when the header is missing, repeated or too long.
 */
export const readSignatureList = (headers: unknown, header: string): string => {
  const value = readSingleHeader(headers, header);
  if (value.length <= MAX_LIST_LENGTH) {
    return value;
  }
  throw new WebhookError(
    'MALFORMED_SIGNATURE',
    `The "${header}" header must be at most ${MAX_LIST_LENGTH} characters, got ${value.length}.`,
  );
};

export const noSignatureError = (header: string, expected: string): WebhookError =>
  new WebhookError(
    'MALFORMED_SIGNATURE',
    `The "${header}" header must contain ${expected}. Does the sender use a different scheme?`,
  );
