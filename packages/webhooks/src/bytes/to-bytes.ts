/** Bytes in memory that is not shared: nothing can change them during hashing, and WebCrypto requires it. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** A body as it arrived over the wire, never a parsed object. */
export type RawBody = string | Uint8Array | ArrayBuffer;

/** Encodes a text as UTF-8. */
export const encodeText = (text: string): Bytes => new TextEncoder().encode(text);

// By its tag, because test runners and iframes have their own ArrayBuffer class.
const isArrayBuffer = (value: unknown): value is ArrayBuffer =>
  Object.prototype.toString.call(value) === '[object ArrayBuffer]';

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
  const view =
    body instanceof Uint8Array ? body : new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  return isArrayBuffer(view.buffer) ? (view as Bytes) : new Uint8Array(view);
};
