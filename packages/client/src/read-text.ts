/** What was read of a body. */
export interface ReadText {
  readonly text: string;
  /** False when the body is larger than allowed: the text is then the beginning of it, good for a message. */
  readonly whole: boolean;
}

/** Bytes of a body that is too large that are still worth showing. */
const BEGINNING = 1_000;

/**
 * Reads a body as UTF-8, and stops as soon as it is larger than `most` bytes. They are counted as they leave the
 * decompressor: a few kilobytes of gzip can unpack to gigabytes. One buffer that doubles holds them, since chunks may be
 * of one byte each.
 */
export const readText = async (response: Response, most: number): Promise<ReadText> => {
  // Some stand-ins for a Response, and some runtimes, have no stream or none that can be read here.
  const reader = typeof TextDecoder === 'function' ? response.body?.getReader?.() : undefined;
  if (reader === undefined) {
    const text = await response.text();
    return text.length > most ? { text: text.slice(0, BEGINNING), whole: false } : { text, whole: true };
  }
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  let buffer = new Uint8Array();
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      return { text: decode(buffer.subarray(0, size)), whole: true };
    }
    const end = size + value.length;
    if (end > most) {
      // Not awaited: a stream that cannot be canceled must not hold the call up.
      reader.cancel().catch(() => {});
      const read = size === 0 ? value : buffer.subarray(0, size);
      return { text: decode(read.subarray(0, BEGINNING)), whole: false };
    }
    if (size === 0) {
      // Most bodies are one chunk: it is not copied.
      buffer = value;
    } else {
      if (end > buffer.length) {
        const larger = new Uint8Array(Math.min(most, Math.max(end, buffer.length * 2)));
        larger.set(buffer);
        buffer = larger;
      }
      buffer.set(value, size);
    }
    size = end;
  }
};
