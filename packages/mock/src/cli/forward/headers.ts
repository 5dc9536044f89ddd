import type { IncomingMessage } from 'node:http';
import { CONNECTION_HEADERS } from '@confab/internal';
import { headersOf } from '../../server/incoming.ts';

/** Headers of one connection, which end here, as RFC 9110 says. */
const HOP_BY_HOP_HEADERS = [
  ...CONNECTION_HEADERS,
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
];

/**
 * Cookies and the admin token are meant for programs on this machine: the API has none. A conditional request could return
 * a response without the body to check.
 */
const DROPPED_REQUEST_HEADERS = [
  'accept-encoding',
  'cookie',
  'x-admin-token',
  'if-none-match',
  'if-modified-since',
];

/** Headers that describe the encoded body, which the proxy decodes, or that apply only to the service's own host. */
const DROPPED_RESPONSE_HEADERS = ['content-encoding', 'set-cookie', 'alt-svc', 'strict-transport-security'];

/** The names that a `Connection` header adds to those that end here. */
const namedIn = (connection: string | null | undefined): string[] =>
  connection?.toLowerCase().match(/[\w!#$%&'*+.^`|~-]+/g) ?? [];

const PROXY = 'confab-mock';

/** Whether a request has passed through such a proxy before: it forwards to itself. */
export const isLoop = ({ headers }: IncomingMessage): boolean => headers.via?.includes(PROXY) === true;

/**
 * The headers to send to the service.
 *
 * @param key Replaces the key of the request.
 */
export const requestHeaders = (incoming: IncomingMessage, key: string | undefined): Headers => {
  const headers = headersOf(incoming);
  for (const name of [
    ...HOP_BY_HOP_HEADERS,
    ...DROPPED_REQUEST_HEADERS,
    ...namedIn(incoming.headers.connection),
  ]) {
    headers.delete(name);
  }
  headers.append('via', `1.1 ${PROXY}`);
  if (key !== undefined) {
    headers.delete('authorization');
    headers.set('x-api-key', key);
  }
  return headers;
};

/** The headers to send to the caller. */
export const responseHeaders = (headers: Headers): Record<string, string> => {
  const dropped = new Set([
    ...HOP_BY_HOP_HEADERS,
    ...DROPPED_RESPONSE_HEADERS,
    ...namedIn(headers.get('connection')),
  ]);
  return Object.fromEntries([...headers].filter(([name]) => !dropped.has(name)));
};

/** The keys that a request carries. */
export const keysIn = ({ headersDistinct }: IncomingMessage): string[] =>
  [...(headersDistinct['x-api-key'] ?? []), ...(headersDistinct.authorization ?? [])].flatMap((value) => [
    value,
    value.replace(/^\w+ +/, ''),
  ]);
