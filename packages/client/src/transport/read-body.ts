import { createGrowingBuffer } from '@confab/internal';

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
 * decompressor: a few kilobytes of gzip can unpack to gigabytes.
 */
export const readText = async (response: Response, most: number): Promise<ReadText> => {
  // Some stand-ins for a Response, and some runtimes, have no stream or none that can be read here.
  const reader = typeof TextDecoder === 'function' ? response.body?.getReader?.() : undefined;
  if (reader === undefined) {
    const text = await response.text();
    return { text: text.slice(0, most), whole: text.length <= most };
  }
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  const buffer = createGrowingBuffer(most);
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      return { text: decode(buffer.bytes()), whole: true };
    }
    if (!buffer.append(value)) {
      // Not awaited: a stream that cannot be canceled must not hold the call up.
      reader.cancel().catch(() => {});
      const read = buffer.bytes();
      return { text: decode((read.length === 0 ? value : read).subarray(0, BEGINNING)), whole: false };
    }
  }
};
