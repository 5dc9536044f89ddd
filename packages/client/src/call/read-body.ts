import { createGrowingBuffer } from '@confab/internal';

export interface ReadBody {
  readonly text: string;
  /** False when the body is larger than allowed. The text is then its beginning, for a message. */
  readonly whole: boolean;
}

/** Bytes to keep of a body that is too large: enough for a message, although redaction leaves out the end. */
const BEGINNING = 4_000;

/**
 * Reads a body as UTF-8, and stops as soon as it is larger than `most` bytes. Bytes are counted after decompression: a
 * few kilobytes of gzip can expand to gigabytes.
 */
export const readBody = async (response: Response, most: number): Promise<ReadBody> => {
  // Some runtimes and substitutes for `Response` have no readable stream.
  const reader = typeof TextDecoder === 'function' ? response.body?.getReader?.() : undefined;
  if (reader === undefined) {
    const text = await response.text();
    const whole = text.length <= most;
    return { text: whole ? text : text.slice(0, Math.min(most, BEGINNING)), whole };
  }
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  const buffer = createGrowingBuffer(most);
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      return { text: decode(buffer.bytes()), whole: true };
    }
    if (!buffer.append(value)) {
      // Not awaited because a stream that cannot be canceled must not delay the call.
      reader.cancel().catch(() => {});
      const read = buffer.bytes().subarray(0, BEGINNING);
      const rest = value.subarray(0, BEGINNING - read.length);
      return { text: decode(Uint8Array.of(...read, ...rest)), whole: false };
    }
  }
};

/** Returns undefined for a text that is not JSON. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // A body that is not JSON.
  }
  return undefined;
};
