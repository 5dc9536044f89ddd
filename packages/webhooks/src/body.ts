import { createGrowingBuffer, typeName } from '@confab/internal';
import { RETRY, WebhookError } from './errors.ts';

/** Bytes in memory that is not shared, so that nothing changes them during hashing. WebCrypto accepts no others. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** A body as it arrived over the wire, never a parsed object. */
export type RawBody = string | Uint8Array | ArrayBuffer;

/** The limit on the size of a body, and the advice for a body that is not raw. */
export interface BodyRules {
  readonly maxBodyBytes: number;
  /** Says how to get the raw body in this framework. */
  readonly hint?: string | undefined;
  /** The value of `Content-Length`, if the body may still be arriving. */
  readonly contentLength?: string | null | undefined;
}

export const DEFAULT_MAX_BODY_BYTES = 1_048_576;

const RAW_BODY_HINT = 'Pass the bytes or the text that arrived.';

/** Encodes a text as UTF-8. */
export const encodeText = (text: string): Bytes => new TextEncoder().encode(text);

/** Whether a text has no lone surrogate, which an encoder would silently replace. The types of es2023 lack the method. */
export const isWellFormed = (text: string): boolean =>
  (text as string & { isWellFormed(): boolean }).isWellFormed();

// Recognized by its tag, because test runners and iframes have an ArrayBuffer class of their own.
const isArrayBuffer = (value: unknown): value is ArrayBuffer => typeName(value) === 'an ArrayBuffer';

/**
 * Converts a raw body to bytes, without a copy where possible. Returns `undefined` for anything that is not raw.
 *
 * The caller must check that a string is well-formed, because the encoder silently replaces lone surrogates.
 */
export const toBytes = (body: unknown): Bytes | undefined => {
  if (typeof body === 'string') {
    return encodeText(body);
  }
  if (!ArrayBuffer.isView(body)) {
    return isArrayBuffer(body) ? new Uint8Array(body) : undefined;
  }
  const view = new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  return isArrayBuffer(body.buffer) ? (view as Bytes) : new Uint8Array(view);
};

const tooLargeError = (maxBodyBytes: number): WebhookError =>
  new WebhookError(
    'BODY_TOO_LARGE',
    `The body exceeds maxBodyBytes (${maxBodyBytes} bytes). If genuine deliveries are larger, raise it.`,
  );

const notRawError = (what: string, { hint = RAW_BODY_HINT }: BodyRules): WebhookError =>
  new WebhookError('BODY_NOT_RAW', `The signed bytes are lost, because the body is ${what}. ${hint}`);

/**
 * Checks a body that is in memory, and returns its bytes. A string stays a string, because Node hashes it without a copy.
 *
 * @throws A {@link WebhookError} when the body is not raw, exceeds the limit or is not well-formed, with
 * `code: 'BODY_NOT_RAW'`, `'BODY_TOO_LARGE'` or `'INVALID_ENCODING'`.
 */
export const requireRawBody = (body: unknown, rules: BodyRules): Bytes | string => {
  const { maxBodyBytes } = rules;
  if (typeof body === 'string') {
    // A UTF-16 unit becomes one to three bytes, so only a text near the limit has to be encoded to count its bytes.
    if (body.length * 3 > maxBodyBytes && encodeText(body).byteLength > maxBodyBytes) {
      throw tooLargeError(maxBodyBytes);
    }
    if (!isWellFormed(body)) {
      throw new WebhookError('INVALID_ENCODING', `The body has a lone surrogate. ${RAW_BODY_HINT}`);
    }
    return body;
  }
  const bytes = toBytes(body);
  if (bytes === undefined) {
    // The message has the type alone, because a stranger may have sent the value, and errors end up in logs.
    throw notRawError(typeName(body), rules);
  }
  if (bytes.byteLength > maxBodyBytes) {
    throw tooLargeError(maxBodyBytes);
  }
  return bytes;
};

const requireRawBytes = (body: unknown, rules: BodyRules): Bytes =>
  toBytes(requireRawBody(body, rules)) as Bytes;

const abortedError = (cause: unknown): WebhookError =>
  new WebhookError('BODY_ABORTED', `The connection closed before the body was complete. ${RETRY}`, { cause });

/**
 * Reads all chunks. Reading stops at the chunk that exceeds the limit.
 *
 * @param failed Returns the error to throw if the stream fails.
 */
export const readStream = async (
  stream: AsyncIterable<unknown>,
  announced: number,
  rules: BodyRules,
  failed = abortedError,
): Promise<Bytes> => {
  if ((stream as Partial<ReadableStream>).locked) {
    throw notRawError('in use by something else', rules);
  }
  const buffer = createGrowingBuffer(rules.maxBodyBytes, announced);
  try {
    for await (const chunk of stream) {
      if (!buffer.append(requireRawBytes(chunk, rules))) {
        throw tooLargeError(rules.maxBodyBytes);
      }
    }
  } catch (cause) {
    throw cause instanceof WebhookError ? cause : failed(cause);
  }
  return buffer.bytes();
};

/**
 * Counts and reads a body from memory or from a stream. A body whose `Content-Length` exceeds the limit is not read.
 *
 * @throws A {@link WebhookError} when the body is not raw, is cut off, exceeds the limit or is not well-formed, with
 * `code: 'BODY_NOT_RAW'`, `'BODY_ABORTED'`, `'BODY_TOO_LARGE'` or `'INVALID_ENCODING'`.
 */
export const readBody = async (body: unknown, rules: BodyRules): Promise<Bytes> => {
  const announced = Number(rules.contentLength);
  if (announced > rules.maxBodyBytes) {
    throw tooLargeError(rules.maxBodyBytes);
  }
  if (body === null) {
    return new Uint8Array();
  }
  return Symbol.asyncIterator in Object(body)
    ? readStream(body as AsyncIterable<unknown>, announced, rules)
    : requireRawBytes(body, rules);
};

let decoder: TextDecoder | undefined;

/**
 * Decodes a body whose signature is genuine. A byte order mark is dropped, as RFC 8259 allows.
 *
 * @throws A {@link WebhookError} when the bytes are not valid UTF-8, with `code: 'INVALID_ENCODING'`.
 */
export const decodeBody = (body: Bytes | string): string => {
  if (typeof body === 'string') {
    return body.startsWith('\ufeff') ? body.slice(1) : body;
  }
  // Created on first use, so that the package can be imported in test environments that lack TextDecoder. The decoder is
  // fatal, because replacing invalid bytes would return a text that differs from the signed body.
  decoder ??= new TextDecoder('utf-8', { fatal: true });
  try {
    return decoder.decode(body);
  } catch {
    throw new WebhookError(
      'INVALID_ENCODING',
      `The delivery is genuine, but its body (${body.byteLength} bytes) is not valid UTF-8. If it is compressed, decompress it after verify().`,
    );
  }
};
