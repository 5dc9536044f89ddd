import type { Bytes } from './to-bytes.ts';

/** Concatenates two byte arrays. */
export const concatBytes = (first: Uint8Array, second: Uint8Array): Bytes => {
  const joined = new Uint8Array(first.byteLength + second.byteLength);
  joined.set(first);
  joined.set(second, first.byteLength);
  return joined;
};
