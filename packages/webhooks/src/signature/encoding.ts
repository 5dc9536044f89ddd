import type { Bytes } from '../body.ts';

/** The encoding of a signature's 32 bytes in its header. */
export type SignatureEncoding = 'hex' | 'base64' | 'base64url';

/** All encodings, in the order in which `auto` tries them. */
export const SIGNATURE_ENCODINGS = ['hex', 'base64', 'base64url'] as const;

/**
 * The only spelling that each encoding allows for 32 bytes.
 *
 * Lenient decoders accept junk: `Buffer.from(x, 'hex')` stops at the first invalid digit, and base64 decoders drop stray
 * bits. The last of 43 base64 characters carries four bits, so two of its six bits must be zero.
 */
const SPELLINGS: Record<SignatureEncoding, RegExp> = {
  hex: /^[0-9a-f]{64}$/,
  base64: /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/,
  base64url: /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]=?$/,
};

/** Describes an encoding for messages. */
export const describeEncoding = (encoding: SignatureEncoding): string =>
  encoding === 'hex' ? 'lowercase hex' : encoding;

/** Encodes bytes as lowercase hex. */
export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

const parseHexDigit = (code: number): number => (code < 0x3a ? code - 0x30 : code - 0x57);

/** Decodes an even number of lowercase hex digits. */
export const decodeHex = (text: string): Bytes => {
  const bytes = new Uint8Array(text.length / 2);
  for (let index = 0; index < bytes.length; index += 1) {
    bytes[index] =
      (parseHexDigit(text.charCodeAt(index * 2)) << 4) | parseHexDigit(text.charCodeAt(index * 2 + 1));
  }
  return bytes;
};

/** Converts a binary string, in which each character is one byte. */
export const decodeBinary = (binary: string): Bytes => {
  // Uint8Array.from() would first build an array of single characters: 300 MB for the largest body of a Lambda function.
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index += 1) {
    bytes[index] = binary.charCodeAt(index);
  }
  return bytes;
};

/**
 * Decodes base64 or base64url.
 *
 * @throws A {@link DOMException} when the text is neither.
 */
export const decodeBase64 = (text: string): Bytes =>
  decodeBinary(atob(text.replaceAll('-', '+').replaceAll('_', '/')));

/** Decodes the 32 bytes of a signature. Returns `undefined` unless the text has the only allowed spelling. */
export const decodeSignature = (
  text: string,
  encoding: SignatureEncoding | 'auto',
): Uint8Array | undefined => {
  for (const candidate of encoding === 'auto' ? SIGNATURE_ENCODINGS : [encoding]) {
    if (SPELLINGS[candidate].test(text)) {
      return candidate === 'hex' ? decodeHex(text) : decodeBase64(text);
    }
  }
  return undefined;
};

/** Encodes a signature; `base64url` has no padding, as in RFC 7515. */
export const encodeSignature = (bytes: Uint8Array, encoding: SignatureEncoding): string => {
  if (encoding === 'hex') {
    return toHex(bytes);
  }
  const base64 = btoa(String.fromCharCode(...bytes));
  return encoding === 'base64' ? base64 : base64.replaceAll('+', '-').replaceAll('/', '_').replace('=', '');
};
