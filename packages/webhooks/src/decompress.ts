import type { Bytes } from './body.ts';
import { readStream, toBytes } from './body.ts';
import { WebhookError } from './errors.ts';
import { valuesOf } from './headers.ts';

/** Some platforms decompress a whole piece at once, and to more than a thousand times its size. */
const PIECE_BYTES = 4096;

const streamPieces = (bytes: Bytes): ReadableStream<Bytes> => {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(bytes.subarray(at, at + PIECE_BYTES));
      at += PIECE_BYTES;
      if (at >= bytes.byteLength) {
        controller.close();
      }
    },
  });
};

/**
 * Decompresses a body as its `Content-Encoding` says; without one, returns it as it is. The result is counted while it
 * grows, because a stranger may have sent it.
 *
 * @throws {@link WebhookError} When that fails, with `code: 'INVALID_ENCODING'` or `'BODY_TOO_LARGE'`.
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
    // What a platform has depends on it: some have no brotli, and some have zstd.
    decompressor = new DecompressionStream(name as CompressionFormat);
  } catch (cause) {
    const text = `A body with the content-encoding "${encoding}" cannot be decompressed here. Ask the sender for gzip.`;
    throw new WebhookError('INVALID_ENCODING', text, { cause });
  }
  const stream = streamPieces(toBytes(body) as Bytes).pipeThrough(decompressor);
  return readStream(stream, 0, { maxBodyBytes }, (cause) => {
    const text = `The body is not what its content-encoding "${encoding}" says. If something before this receiver decompresses it, remove \`decompress\`.`;
    return new WebhookError('INVALID_ENCODING', text, { cause });
  });
};
