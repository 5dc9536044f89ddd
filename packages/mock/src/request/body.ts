/** Bytes of a body that the mock reads at most: 1 MiB. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** The text of a body, or `undefined` if it is larger than the mock reads. */
export const withinLimit = (text: string): string | undefined => {
  // A UTF-16 unit takes at most three bytes, so that few bodies have to be measured.
  if (text.length * 3 <= MAX_BODY_BYTES) return text;
  return new TextEncoder().encode(text).length <= MAX_BODY_BYTES ? text : undefined;
};

/** As the other hosts read it: `Request.text()` takes a byte order mark away. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** {@link withinLimit}, of a request that is in this process already. */
export const readBody = (request: Request): string | Promise<string | undefined> =>
  request.body === null
    ? ''
    : request
        .arrayBuffer()
        .then((bytes) => (bytes.byteLength > MAX_BODY_BYTES ? undefined : utf8.decode(bytes)));
