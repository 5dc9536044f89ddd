/** Bytes in memory that nothing else writes to. */
type Bytes = Uint8Array<ArrayBuffer>;

const FIRST_BYTES = 1024;

/** Bytes that arrive in pieces. */
export interface GrowingBuffer {
  /** Appends a piece, unless the whole would then be larger than the limit: false says that it was not appended. */
  append(piece: Uint8Array): boolean;
  /** All the bytes so far. */
  bytes(): Bytes;
}

/**
 * Collects pieces in one buffer. A list of them would cost some 500 bytes for each piece, so that a stranger who
 * sends one byte at a time could fill the memory long before reaching the limit.
 *
 * The first piece is copied as it is, without room for more, since most bodies are one piece. It is copied, because
 * whoever sent it may write to it again after the bytes were checked.
 *
 * @param limit Most bytes to take.
 * @param announced What the sender says the whole will be. It only bounds growth: memory is taken for what has
 * arrived, not for what was promised.
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
        // Most bodies are one piece: it gets no more room than it needs.
        buffer = new Uint8Array(needed);
      } else if (needed > buffer.byteLength) {
        grow(needed);
      }
      buffer.set(piece, length);
      length = needed;
      return true;
    },
    // No spare room behind them, in which a reader could find what was not sent.
    bytes: () => (length === buffer.byteLength ? buffer : buffer.slice(0, length)),
  };
};
