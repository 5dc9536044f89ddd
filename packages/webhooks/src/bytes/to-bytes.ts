/** Bytes in memory that is not shared: nothing can change them during hashing, and WebCrypto requires it. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** A body as it arrived over the wire, never a parsed object. */
export type RawBody = string | Uint8Array | ArrayBuffer;

let encoder: TextEncoder | undefined;

/** Encodes a text as UTF-8. */
export const encodeText = (text: string): Bytes => {
  // Created on first use: the package must be importable in test environments that lack a TextEncoder.
  encoder ??= new TextEncoder();
  return encoder.encode(text);
};

// By its tag, because test runners and iframes have their own ArrayBuffer class.
const isArrayBuffer = (value: unknown): value is ArrayBuffer =>
  Object.prototype.toString.call(value) === '[object ArrayBuffer]';

const isUnshared = (view: Uint8Array): view is Bytes => isArrayBuffer(view.buffer);

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
  return isUnshared(view) ? view : new Uint8Array(view);
};
