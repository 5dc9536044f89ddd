import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { createGrowingBuffer } from '@confab/internal';
import { MockError } from '../errors/mock-error.ts';
import type { IncomingRequest } from '../request/incoming-request.ts';
import { MAX_BODY_BYTES, targetOf, textOf } from '../request/incoming-request.ts';
import type { Share } from './capacity.ts';

const connectionClosed = (): MockError =>
  new MockError('CONNECTION_CLOSED', 'The caller closed the connection');

/**
 * Reads a body; `undefined` as soon as it turns out to be too large.
 *
 * It reads each chunk as it arrives: with a loop, thousands of chunks of one byte would queue up, at hundreds of bytes
 * each.
 *
 * @throws {@link Refusal} 503, when all bodies together take too many bytes.
 * @throws {@link MockError} `CONNECTION_CLOSED`, when the caller goes away before the end of the body.
 */
export const readIncomingBytes = (
  incoming: IncomingMessage,
  share: Pick<Share, 'take'>,
): Promise<Uint8Array<ArrayBuffer> | undefined> =>
  new Promise((resolve, reject) => {
    const buffer = createGrowingBuffer(MAX_BODY_BYTES);
    let taking = true;
    const take = (chunk: Buffer) => {
      // Later chunks are dropped, for as long as the server allows for a request. If the connection were closed now, the
      // caller could not read the response.
      if (!taking) {
        return;
      }
      try {
        taking = buffer.append(chunk);
        if (taking) {
          share.take(chunk.length);
        } else {
          resolve(undefined);
        }
      } catch (error) {
        taking = false;
        reject(error);
      }
    };
    const goneAway = () => reject(connectionClosed());
    if (incoming.destroyed) {
      goneAway();
    }
    incoming
      .on('data', take)
      .once('end', () => resolve(taking ? buffer.bytes() : undefined))
      .on('error', reject)
      .once('close', goneAway);
  });

/** The text of {@link readIncomingBytes}. */
export const readIncoming = async (
  incoming: IncomingMessage,
  share: Pick<Share, 'take'>,
): Promise<string | undefined> => {
  const bytes = await readIncomingBytes(incoming, share);
  return bytes && textOf(bytes);
};

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** The value of a header, by its name in lower case. */
export const headerOf = ({ headers }: Pick<IncomingMessage, 'headers'>, name: string): string | null =>
  headers[name]?.toString() ?? null;

/** All headers, with each of their values. */
export const headersOf = ({ headersDistinct }: IncomingMessage): Headers =>
  new Headers(
    Object.entries(headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    ),
  );

const HERE = '127.0.0.1';

/** A host without any character that would turn a part of it into a path. */
export const HOST = /^[^/?#@\\]+$/;

const isEncrypted = ({ socket }: IncomingMessage): boolean =>
  (socket as Partial<TLSSocket>).encrypted === true;

/** The URL of a request; its host is this machine if the header is invalid. */
export const urlOf = (incoming: IncomingMessage): URL => {
  const {
    url: target = '/',
    headers: { host = '' },
  } = incoming;
  const scheme = isEncrypted(incoming) ? 'https' : 'http';
  // Joined, not resolved: a path that starts with two slashes does not name a host.
  const at = (name: string) => URL.parse(target.startsWith('/') ? `${scheme}://${name}${target}` : target);
  return (HOST.test(host) ? at(host) : null) ?? at(HERE) ?? new URL(`${scheme}://${HERE}`);
};

interface Target {
  readonly url: URL;
  /** The path in front of the API's. */
  readonly prefix: string;
  readonly share: Share;
  readonly allowHttp: boolean;
  readonly loopback: boolean;
}

/** The {@link IncomingRequest} of a request over HTTP. */
export const fromIncomingMessage = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { url, prefix, share, allowHttp, loopback }: Target,
): IncomingRequest => {
  const gone = new AbortController();
  outgoing.once('close', () => {
    // After a response, nobody is left to hear of it, and an error with its stack is expensive.
    if (!outgoing.writableFinished) {
      gone.abort(connectionClosed());
    }
  });
  const target = targetOf(url, prefix);
  return {
    ...target,
    secure:
      target.secure ||
      allowHttp ||
      // The target may be a whole URL with another scheme.
      isEncrypted(incoming) ||
      // On loopback, a page could send it: one whose host name resolves to this machine may set any header.
      (!loopback && headerOf(incoming, 'x-forwarded-proto') === 'https'),
    method: incoming.method ?? 'GET',
    signal: gone.signal,
    header: (name) => headerOf(incoming, name),
    headers: () => headersOf(incoming),
    body: () => (hasBody(incoming) ? readIncoming(incoming, share) : ''),
  };
};
