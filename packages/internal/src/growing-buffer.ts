/** Bytes in memory that is not shared. */
type Bytes = Uint8Array<ArrayBuffer>;

const FIRST_BYTES = 1024;

/** Bytes that arrive in pieces. */
export interface GrowingBuffer {
  /** Appends a piece. Returns false, and appends nothing, if the total would exceed the limit. */
  append(piece: Uint8Array): boolean;
  /** Returns all bytes so far. */
  bytes(): Bytes;
}

/**
 * Creates a buffer that collects pieces. An array of pieces would need some 500 bytes per piece, and a stranger who sends
 * single bytes could fill the memory long before reaching the limit.
 *
 * The first piece is copied without spare room, because most bodies are one piece. It must be copied, because its sender
 * may change it after the bytes were checked.
 *
 * @param limit The maximum number of bytes.
 * @param announced The size that the sender announced. It only limits growth: memory is allocated for what has arrived,
 * not for what was announced.
 * @example
 * ```ts
 * const buffer = createGrowingBuffer(1_048_576);
 * for await (const piece of stream) {
 *   if (!buffer.append(piece)) throw new Error('The body is larger than 1 MiB.');
 * }
 * const body = buffer.bytes();
 * ```
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
      if (length === 0) {
        buffer = new Uint8Array(needed);
      } else if (needed > buffer.byteLength) {
        grow(needed);
      }
      buffer.set(piece, length);
      length = needed;
      return true;
    },
    // Copied without the spare capacity, which could expose unrelated bytes.
    bytes: () => (length === buffer.byteLength ? buffer : buffer.slice(0, length)),
  };
};
