/**
 * The headers that describe a connection, in lower case. Only the runtime can set them: a wrong value breaks the
 * connection, or makes the other side wait for a body that never arrives.
 *
 * @example
 * ```ts
 * CONNECTION_HEADERS.includes('transfer-encoding'); // true
 * ```
 */
export const CONNECTION_HEADERS: readonly string[] = [
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];
