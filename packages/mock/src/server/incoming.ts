import type { IncomingMessage, ServerResponse } from 'node:http';
import { createGrowingBuffer } from '@confab/internal';
import { targetOf } from '../hosts/call-of.ts';
import { MAX_BODY_BYTES, textOf } from '../request/body.ts';
import type { Call } from '../request/call.ts';
import type { Share } from './capacity.ts';

/**
 * The text of a body, or `undefined` once it turns out to be too large.
 *
 * @throws {Refusal} 503, once there is no room for it beside the bodies of others.
 */
export const readIncoming = async (
  incoming: IncomingMessage,
  share: Pick<Share, 'take'>,
): Promise<string | undefined> => {
  const buffer = createGrowingBuffer(MAX_BODY_BYTES);
  let fits = true;
  try {
    // Left open: on a connection that is ended now, the caller would not get to read the answer.
    for await (const chunk of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      fits = buffer.append(chunk);
      if (!fits) {
        break;
      }
      share.take(chunk.length);
    }
  } finally {
    // What is left goes nowhere, for as long as the server lets a request take.
    incoming.resume();
  }
  return fits ? textOf(buffer.bytes()) : undefined;
};

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Several values of one header, as `Headers` gives them. */
const joined = (value: string | string[] | undefined): string | null =>
  value === undefined ? null : typeof value === 'string' ? value : value.join(', ');

/** A header, by its name in lower case. */
export const headerOf = (incoming: IncomingMessage, name: string): string | null =>
  joined(incoming.headers[name]);

const headersOf = ({ headersDistinct }: IncomingMessage): Headers =>
  new Headers(
    Object.entries(headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    ),
  );

const HERE = 'http://127.0.0.1';

/** No character by which a part of the header would pass for a part of the path. */
export const HOST = /^[^/?#@\\]+$/;

/** Where a request goes to; without a host that can be read, this machine. */
export const urlOf = ({ url: target = '/', headers: { host = '' } }: IncomingMessage): URL => {
  // Put together, not resolved: a path that begins with two slashes names no host.
  const at = (origin: string) => URL.parse(target.startsWith('/') ? origin + target : target);
  return (HOST.test(host) ? at(`http://${host}`) : null) ?? at(HERE) ?? new URL(HERE);
};

/** What the operations need of a request that came over TCP. */
export const callOfIncoming = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { url, share }: { readonly url: URL; readonly share: Share },
): Call => {
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort(new Error('The caller has gone')));
  const target = targetOf(url);
  return {
    ...target,
    secure: target.secure || headerOf(incoming, 'x-forwarded-proto') === 'https',
    method: incoming.method ?? 'GET',
    signal: gone.signal,
    header: (name) => headerOf(incoming, name),
    headers: () => headersOf(incoming),
    body: () => (hasBody(incoming) ? readIncoming(incoming, share) : ''),
  };
};
