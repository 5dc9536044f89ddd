import type { IncomingMessage } from 'node:http';
import { CONNECTION_HEADERS } from '@confab/internal';
import { headersOf } from '../../http/incoming.ts';

/** The headers of a single connection, which RFC 9110 forbids to pass on. */
const HOP_BY_HOP = [...CONNECTION_HEADERS, 'proxy-authenticate', 'proxy-authorization', 'proxy-connection'];

/**
 * Cookies and the admin token are meant for programs on this machine, because the API has neither. A conditional request
 * could get a response without a body to check.
 */
const NOT_SENT = ['accept-encoding', 'cookie', 'x-admin-token', 'if-none-match', 'if-modified-since'];

/** Headers that describe the encoded body, which the proxy decodes, or that apply only to the service's own host. */
const NOT_RETURNED = ['content-encoding', 'set-cookie', 'alt-svc', 'strict-transport-security'];

/** The name of this proxy in `Via`. */
export const PROXY = 'confab-mock';

/** Copies the headers that are passed on. */
const copyWithout = (dropped: readonly string[], headers: Headers): Headers => {
  // A `Connection` header names further headers of its connection.
  const named = headers.get('connection')?.match(/[\w!#$%&'*+.^`|~-]+/g) ?? [];
  const passedOn = new Headers(headers);
  for (const name of [...HOP_BY_HOP, ...dropped, ...named]) {
    passedOn.delete(name);
  }
  return passedOn;
};

/**
 * The headers to send to the service.
 *
 * @param key Replaces the key of the request.
 */
export const requestHeaders = (incoming: IncomingMessage, key: string | undefined): Headers => {
  const headers = copyWithout(NOT_SENT, headersOf(incoming));
  headers.append('via', `1.1 ${PROXY}`);
  if (key !== undefined) {
    headers.delete('authorization');
    headers.set('x-api-key', key);
  }
  return headers;
};

/** The headers to send to the caller. */
export const responseHeaders = (headers: Headers): Record<string, string> =>
  Object.fromEntries(copyWithout(NOT_RETURNED, headers));

/** The keys that a request carries. */
export const keysIn = ({ headersDistinct }: IncomingMessage): string[] => {
  const values = [headersDistinct['x-api-key'] ?? [], headersDistinct.authorization ?? []].flat();
  return values.flatMap((value) => [value, value.replace(/^\w+ +/, '')]);
};
