import type { Bytes } from './to-bytes.ts';

/** The parts, one after the other. */
export const concatBytes = (parts: readonly Uint8Array[]): Bytes => {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.byteLength, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.byteLength;
  }
  return joined;
};
