import type { Bytes } from './to-bytes.ts';

/**
 * The bytes of padded base64.
 *
 * @throws DOMException if the text is not base64.
 */
export const decodeBase64 = (text: string): Bytes =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
