import type { Bytes } from './to-bytes.ts';

/**
 * Decodes padded base64.
 *
 * @throws {@link DOMException} When the text is not valid base64.
 */
export const decodeBase64 = (text: string): Bytes => {
  const binary = atob(text);
  // Uint8Array.from() would first build an array of single characters: 300 MB for the largest body of a Lambda function.
  const bytes = new Uint8Array(binary.length);
  // Stryker disable next-line EqualityOperator: An array of bytes ignores what is written past its end.
  for (let index = 0; index < binary.length; index += 1) {
    bytes[index] = binary.charCodeAt(index);
  }
  return bytes;
};
