import { decodeBase64 } from '../bytes/decode-base64.ts';
import { toHex } from '../bytes/to-hex.ts';

/** The encoding of a signature's 32 bytes in its header. */
export type SignatureEncoding = 'hex' | 'base64' | 'base64url';

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

/** All encodings, in the order in which `auto` tries them. */
export const SIGNATURE_ENCODINGS = ['hex', 'base64', 'base64url'] as const;

// Stryker disable next-line EqualityOperator: 0x3a is a colon, which is no hexadecimal digit.
const hexDigit = (code: number) => (code < 0x3a ? code - 0x30 : code - 0x57);

const decodeHex = (text: string): Uint8Array => {
  const bytes = new Uint8Array(32);
  // Stryker disable next-line EqualityOperator: An array of bytes ignores what is written past its end.
  for (let index = 0; index < 32; index += 1) {
    bytes[index] = (hexDigit(text.charCodeAt(index * 2)) << 4) | hexDigit(text.charCodeAt(index * 2 + 1));
  }
  return bytes;
};

/** Decodes the 32 bytes of a signature. Returns `undefined` unless the text is spelled exactly as it should be. */
export const decodeSignature = (
  text: string,
  encoding: SignatureEncoding | 'auto',
): Uint8Array | undefined => {
  const allowed = encoding === 'auto' ? SIGNATURE_ENCODINGS : [encoding];
  const spelled = allowed.find((candidate) => SPELLINGS[candidate].test(text));
  if (spelled === 'hex') {
    return decodeHex(text);
  }
  // Plain base64 has neither of the two characters.
  return spelled && decodeBase64(text.replaceAll('-', '+').replaceAll('_', '/'));
};

/** Encodes a signature; `base64url` has no padding, as in RFC 7515. */
export const encodeSignature = (bytes: Uint8Array, encoding: SignatureEncoding): string => {
  if (encoding === 'hex') {
    return toHex(bytes);
  }
  const base64 = btoa(String.fromCharCode(...bytes));
  if (encoding === 'base64') {
    return base64;
  }
  return base64.replaceAll('+', '-').replaceAll('/', '_').replace('=', '');
};
