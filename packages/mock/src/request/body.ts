/** Bytes of a body that the mock reads at most: 1 MiB. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** The text of a body, or `undefined` once it turns out to be too large; the rest is not read. */
export const readBody = (request: Request): string | undefined | Promise<string | undefined> => {
  if (request.body === null) return '';
  if (Number(request.headers.get('content-length')) > MAX_BODY_BYTES) return undefined;
  return readStream(request.body);
};

const readStream = async (stream: ReadableStream<Uint8Array>): Promise<string | undefined> => {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.byteLength;
    // Leaving the loop cancels the stream.
    if (bytes > MAX_BODY_BYTES) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
};
