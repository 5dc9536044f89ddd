import type { Bytes } from './to-bytes.ts';

const FIRST_BYTES = 1024;

/** Bytes that arrive in pieces. */
export interface GrowingBuffer {
  /** Appends a piece, unless the whole would then be larger than the limit: false says that it was not appended. */
  append(piece: Uint8Array): boolean;
  /** All the bytes so far, in a buffer of exactly that size. */
  bytes(): Bytes;
}

/**
 * Collects pieces in one buffer. A list of them would cost some 500 bytes for each piece, so that a stranger who
 * sends one byte at a time could fill the memory long before reaching the limit.
 *
 * @param limit Most bytes to take.
 * @param announced What the sender says the whole will be. It only bounds growth: memory is taken for what has
 * arrived, not for what was promised.
 */
export const createGrowingBuffer = (limit: number, announced = 0): GrowingBuffer => {
  let buffer: Bytes = new Uint8Array();
  let length = 0;

  const grow = (needed: number): void => {
    const doubled = Math.max(needed, buffer.byteLength * 2, FIRST_BYTES);
    const larger = new Uint8Array(Math.min(doubled, announced >= needed ? announced : limit));
    larger.set(buffer.subarray(0, length));
    buffer = larger;
  };

  return {
    append(piece) {
      const needed = length + piece.byteLength;
      if (needed > limit) {
        return false;
      }
      if (needed > buffer.byteLength) {
        grow(needed);
      }
      buffer.set(piece, length);
      length = needed;
      return true;
    },
    bytes: () => (length === buffer.byteLength ? buffer : buffer.slice(0, length)),
  };
};
