import type { IncomingMessage } from 'node:http';
import { CONNECTION_HEADERS } from '@confab/internal';
import { headersOf } from '../../server/incoming.ts';

/** Headers of one connection, which end here, as RFC 9110 says. */
const OF_A_CONNECTION = [
  ...CONNECTION_HEADERS,
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
];

/**
 * Cookies and the admin token are meant for programs on this machine: the API has none. A conditional request could return
 * a response without the body to check.
 */
const OF_A_REQUEST = ['accept-encoding', 'cookie', 'x-admin-token', 'if-none-match', 'if-modified-since'];

/** Of the encoded body, which is decoded here, or promises of the service's own host. */
const OF_A_RESPONSE = ['content-encoding', 'set-cookie', 'alt-svc', 'strict-transport-security'];

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
  for (const name of [...OF_A_CONNECTION, ...OF_A_REQUEST, ...namedIn(incoming.headers.connection)]) {
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
  const dropped = new Set([...OF_A_CONNECTION, ...OF_A_RESPONSE, ...namedIn(headers.get('connection'))]);
  return Object.fromEntries([...headers].filter(([name]) => !dropped.has(name)));
};

/** The keys that a request carries. */
export const keysIn = ({ headersDistinct }: IncomingMessage): string[] =>
  [...(headersDistinct['x-api-key'] ?? []), ...(headersDistinct.authorization ?? [])].flatMap((value) => [
    value,
    value.replace(/^\w+ +/, ''),
  ]);
