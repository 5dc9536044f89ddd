import { createGrowingBuffer } from '@confab/internal';

/** Bytes of a body that the mock reads at most: 1 MiB. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** The text of a body, or `undefined` if it is larger than the mock reads. */
export const withinLimit = (text: string): string | undefined => {
  // A UTF-16 unit takes at most three bytes, so that few bodies have to be measured.
  if (text.length * 3 <= MAX_BODY_BYTES) {
    return text;
  }
  return new TextEncoder().encode(text).length <= MAX_BODY_BYTES ? text : undefined;
};

/** As every host reads it: `Request.text()` would take a byte order mark away. */
let utf8: TextDecoder | undefined;

/** The bytes of a body as text. */
export const textOf = (bytes: Uint8Array): string => {
  // Made late: the package is also imported where there is none, under jsdom for example.
  utf8 ??= new TextDecoder('utf-8', { ignoreBOM: true });
  return utf8.decode(bytes);
};

const readStream = async (stream: ReadableStream<Uint8Array>): Promise<string | undefined> => {
  const buffer = createGrowingBuffer(MAX_BODY_BYTES);
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    if (!buffer.append(next.value)) {
      // Whoever sends it may go on for ever, and whether it stops is of no interest here.
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

/** {@link withinLimit}, of a request that is in this process already. */
export const readBody = (request: Request): string | Promise<string | undefined> => {
  if (request.body === null) {
    return '';
  }
  // Some browsers have no `body`; theirs can only be read whole.
  return request.body === undefined ? readWhole(request) : readStream(request.body);
};
