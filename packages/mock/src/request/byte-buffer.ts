/** As every host reads it: `Request.text()` would take a byte order mark away. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * The bytes of a body in one buffer that grows as they come in.
 *
 * A list of the chunks would cost a hundred times as much as what is in them, when a sender makes each one byte long.
 */
export class ByteBuffer {
  readonly #most: number;
  #bytes = new Uint8Array(0);
  #length = 0;

  /** @param most Bytes that are kept. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Adds a chunk; false, and nothing is kept any more, once there are too many bytes. */
  add(chunk: Uint8Array): boolean {
    const length = this.#length + chunk.byteLength;
    if (length > this.#most) {
      this.#length = length;
      this.#bytes = new Uint8Array(0);
      return false;
    }
    if (length > this.#bytes.byteLength) {
      const grown = new Uint8Array(Math.min(this.#most, Math.max(length, this.#bytes.byteLength * 2)));
      grown.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = grown;
    }
    this.#bytes.set(chunk, this.#length);
    this.#length = length;
    return true;
  }

  /** The bytes as text, or `undefined` if there were too many. */
  text(): string | undefined {
    return this.#length > this.#most ? undefined : utf8.decode(this.#bytes.subarray(0, this.#length));
  }
}
