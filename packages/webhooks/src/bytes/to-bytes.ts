/** Bytes that nothing else can change while they are hashed: WebCrypto takes no shared memory. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** A body as it came over the wire: never a parsed object. */
export type RawBody = string | Uint8Array | ArrayBuffer;

let encoder: TextEncoder | undefined;

/** The UTF-8 bytes of a text. */
export const encodeText = (text: string): Bytes => {
  // Made at first use: a test environment without one must be able to import this package.
  encoder ??= new TextEncoder();
  return encoder.encode(text);
};

// By tag too, because test runners and iframes have an ArrayBuffer class of their own.
const isArrayBuffer = (value: unknown): value is ArrayBuffer =>
  value instanceof ArrayBuffer || Object.prototype.toString.call(value) === '[object ArrayBuffer]';

const isUnshared = (view: Uint8Array): view is Bytes => isArrayBuffer(view.buffer);

/**
 * The bytes of a body, without a copy where that is possible; `undefined` if it is not a raw body.
 *
 * The caller checks that a string is well-formed: an encoder replaces what is not.
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
