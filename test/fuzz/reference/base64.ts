const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Decodes base64 as the specification of `atob` says, bit by bit. Returns undefined for anything else. */
export const decodeForgiving = (text: string): Uint8Array | undefined => {
  let digits = text.replaceAll(/[\t\n\f\r ]/g, '');
  if (digits.length % 4 === 0) {
    digits = digits.replace(/={1,2}$/, '');
  }
  const values = [...digits].map((digit) => ALPHABET.indexOf(digit));
  if (digits.length % 4 === 1 || values.includes(-1)) {
    return undefined;
  }
  const bytes: number[] = [];
  let buffer = 0;
  let bits = 0;
  for (const value of values) {
    buffer = ((buffer << 6) | value) & 0xffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((buffer >> bits) & 0xff);
    }
  }
  return Uint8Array.from(bytes);
};
