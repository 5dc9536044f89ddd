import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { createGrowingBuffer } from '@confab/internal';
import type { IncomingRequest, parseTarget } from '../request/incoming-request.ts';
import { decodeBody, MAX_BODY_BYTES } from '../request/incoming-request.ts';
import type { Take } from './capacity.ts';

/**
 * Reads a body; `undefined` as soon as it turns out to be too large. Rejects when the caller goes away before the end of the
 * body.
 *
 * It listens to events, because a loop would queue up thousands of one-byte chunks, at hundreds of bytes each.
 *
 * @throws A {@link Refusal} 503, when all bodies together take too many bytes.
 */
export const readIncomingBytes = (
  incoming: IncomingMessage,
  take: Take,
): Promise<Uint8Array<ArrayBuffer> | undefined> =>
  new Promise((resolve, reject) => {
    const buffer = createGrowingBuffer(MAX_BODY_BYTES);
    const append = (chunk: Buffer) => {
      try {
        if (buffer.append(chunk)) {
          take('bodyBytes', chunk.length);
          return;
        }
        resolve(undefined);
      } catch (error) {
        reject(error);
      }
      // Later chunks are dropped until the request times out. If the connection were closed now, the caller could not read
      // the response.
      incoming.off('data', append);
    };
    incoming
      .on('data', append)
      .once('end', () => resolve(buffer.bytes()))
      .on('error', reject)
      .once('close', reject);
  });

/** {@link readIncomingBytes}, decoded as text. */
export const readIncoming = async (incoming: IncomingMessage, take: Take): Promise<string | undefined> => {
  const bytes = await readIncomingBytes(incoming, take);
  return bytes && decodeBody(bytes);
};

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** All headers of a request. */
export const headersOf = ({ headers }: IncomingMessage): Headers =>
  new Headers(headers as Record<string, string>);

/** A host without any character that would end it in a URL. */
export const HOST = /^[^/?#@\\]+$/;

/** The URL of a request. If the `Host` header is invalid, the host is this machine. */
export const urlOf = ({ url: target = '/', headers, socket }: IncomingMessage): URL => {
  const { host = '' } = headers;
  const scheme = (socket as Partial<TLSSocket>).encrypted ? 'https' : 'http';
  const here = `${scheme}://127.0.0.1`;
  // Joined, not resolved, because a path that starts with two slashes does not name a host. The origin of a complete URL is
  // dropped without a check.
  const path = target.replace(/^\w+:\/\/[^/?#]*/, '');
  const join = (origin: string) => URL.parse(path.startsWith('/') ? origin + path : origin);
  return (HOST.test(host) ? join(`${scheme}://${host}`) : null) ?? join(here) ?? new URL(here);
};

/** The {@link IncomingRequest} of a request over HTTP. */
export const fromIncomingMessage = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  target: ReturnType<typeof parseTarget>,
  take: Take,
): IncomingRequest => {
  const gone = new AbortController();
  outgoing.once('close', () => {
    // After a complete response, nobody listens to the signal, and the error that it would create is expensive.
    if (!outgoing.writableFinished) {
      gone.abort();
    }
  });
  return {
    ...target,
    method: incoming.method ?? 'GET',
    signal: gone.signal,
    header: (name) => incoming.headers[name]?.toString() ?? null,
    headers: () => headersOf(incoming),
    body: () => (hasBody(incoming) ? readIncoming(incoming, take) : ''),
  };
};
