/** Bytes of a body that the mock reads at most: 1 MiB. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** The text of a body, or `undefined` once it turns out to be too large; the rest is not read. */
export const readBody = async (request: Request): Promise<string | undefined> => {
  if (request.body === null) return '';
  if (Number(request.headers.get('content-length')) > MAX_BODY_BYTES) return undefined;
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of request.body) {
    bytes += chunk.byteLength;
    // Leaving the loop cancels the stream.
    if (bytes > MAX_BODY_BYTES) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
};
