import type { Bytes } from './body.ts';
import { readStream, toBytes } from './body.ts';
import { WebhookError } from './errors.ts';
import { valuesOf } from './headers.ts';

/** Some platforms decompress each piece as a whole, to more than a thousand times its size, before it can be counted. */
const PIECE_BYTES = 4096;

const streamPieces = (bytes: Bytes): ReadableStream<Bytes> => {
  let offset = 0;
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(bytes.subarray(offset, offset + PIECE_BYTES));
      offset += PIECE_BYTES;
      if (offset >= bytes.byteLength) {
        controller.close();
      }
    },
  });
};

/**
 * Decompresses a body according to its `Content-Encoding`, or returns the body unchanged if the header is missing. The
 * result is counted while it grows, because a stranger may have sent the body.
 *
 * @throws A {@link WebhookError} when decompression fails or the result exceeds the limit, with
 * `code: 'INVALID_ENCODING'` or `'BODY_TOO_LARGE'`.
 */
export const decompress = async <Body extends Bytes | string>(
  body: Body,
  headers: unknown,
  maxBodyBytes: number,
): Promise<Body | Bytes> => {
  const encoding = valuesOf(headers, 'content-encoding').join();
  if (encoding === '') {
    return body;
  }
  let decompressor: DecompressionStream;
  try {
    const name = encoding.toLowerCase().replace(/^x-/, '').replace(/^br$/, 'brotli');
    // Platforms differ: some have no brotli, and some have zstd.
    decompressor = new DecompressionStream(name as CompressionFormat);
  } catch (cause) {
    const text = `A body with the content-encoding "${encoding}" cannot be decompressed here. Ask the sender for gzip.`;
    throw new WebhookError('INVALID_ENCODING', text, { cause });
  }
  const stream = streamPieces(toBytes(body) as Bytes).pipeThrough(decompressor);
  return readStream(stream, 0, { maxBodyBytes }, (cause) => {
    const text = `The body does not match its content-encoding "${encoding}". If something before this receiver decompresses it, remove \`decompress\`.`;
    return new WebhookError('INVALID_ENCODING', text, { cause });
  });
};
