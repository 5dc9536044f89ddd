import { createGrowingBuffer } from '@confab/internal';

/** The most bytes of a body that the mock reads: 1 MiB. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** Returns the text of a body, or `undefined` if it is larger than the mock reads. */
export const withinLimit = (text: string): string | undefined => {
  // A UTF-16 unit takes at most three bytes, so few bodies have to be measured.
  if (text.length * 3 <= MAX_BODY_BYTES) {
    return text;
  }
  return new TextEncoder().encode(text).length <= MAX_BODY_BYTES ? text : undefined;
};

/** Unlike `Request.text()`, it keeps a byte order mark, so that every host reads the same text. */
let utf8: TextDecoder | undefined;

/** Decodes the bytes of a body. */
export const textOf = (bytes: Uint8Array): string => {
  // Created late, because the package is also imported where there is no TextDecoder, such as under jsdom.
  utf8 ??= new TextDecoder('utf-8', { ignoreBOM: true });
  return utf8.decode(bytes);
};

/** Reads the text of a stream; `undefined`, and no further, once it has more bytes than that. */
export const readStream = async (
  stream: ReadableStream<Uint8Array>,
  maxBytes = MAX_BODY_BYTES,
): Promise<string | undefined> => {
  const buffer = createGrowingBuffer(maxBytes);
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    if (!buffer.append(next.value)) {
      // The sender may go on forever, and it does not matter here whether it stops.
      reader.cancel().catch(() => {});
      return undefined;
    }
  }
  return textOf(buffer.bytes());
};

const readWhole = async (request: Request): Promise<string | undefined> => {
  const bytes = new Uint8Array(await request.arrayBuffer());
  return bytes.byteLength > MAX_BODY_BYTES ? undefined : textOf(bytes);
};

/** Reads the body of a request within this process; `undefined` if it is larger than the mock reads. */
export const readBody = (request: Request): string | Promise<string | undefined> => {
  if (request.body === null) {
    return '';
  }
  // In some browsers, requests have no `body`, and can only be read whole.
  return request.body === undefined ? readWhole(request) : readStream(request.body);
};
