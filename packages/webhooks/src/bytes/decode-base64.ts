import type { Bytes } from './to-bytes.ts';

/**
 * The bytes of padded base64.
 *
 * @throws DOMException if the text is not base64.
 */
export const decodeBase64 = (text: string): Bytes => {
  const binary = atob(text);
  // Not Uint8Array.from(), which makes a list of single characters first: 300 MB for the largest body of Lambda.
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index += 1) {
    bytes[index] = binary.charCodeAt(index);
  }
  return bytes;
};
