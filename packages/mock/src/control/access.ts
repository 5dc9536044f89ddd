import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isLoopback } from '@confab/internal';
import { Refusal } from '../errors/refusal.ts';
import type { Origins } from '../http/cors.ts';
import { isAllowed } from '../http/cors.ts';
import { HOST } from '../http/incoming.ts';

/** The settings that decide who may use the control endpoints. */
export interface AdminAccess {
  /** The token that requests must send in `x-admin-token`, or as a bearer token. */
  readonly token: string | undefined;
  /** Whether only this machine can reach the server. */
  readonly loopback: boolean;
  /** The origins whose pages may use the control endpoints, if they have the token. */
  readonly origins: Origins;
}

const digest = (text: string) => createHash('sha256').update(text).digest();

/** @throws A {@link Refusal} 401, when the token is missing or wrong. */
const checkToken = (headers: IncomingHttpHeaders, token: string): void => {
  const [, bearer = ''] = /^bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  const sent = headers['x-admin-token']?.toString() ?? bearer;
  if (sent === '') {
    throw new Refusal(
      401,
      'ADMIN_TOKEN_REQUIRED',
      'The control endpoints require the admin token. Send it in the x-admin-token header.',
    );
  }
  // Digests have equal lengths, so the comparison does not reveal the length of the token.
  if (!timingSafeEqual(digest(sent), digest(token))) {
    throw new Refusal(
      401,
      'ADMIN_TOKEN_INVALID',
      'This is not the admin token of the server. Send the one that it was started with.',
    );
  }
};

/**
 * The `Host` header of a request, unless it names this machine. A page whose own host name resolves to this machine
 * sends that name.
 */
const foreignHost = ({ host = '' }: IncomingHttpHeaders): string | undefined => {
  const isHere = HOST.test(host) && isLoopback(URL.parse(`http://${host}`)?.hostname ?? '');
  return isHere ? undefined : `host: ${host}`;
};

/**
 * The header that shows that a page of a different origin makes this request, such as a page at a different port of this
 * machine. Programs send neither of these headers.
 */
const otherOrigin = (headers: IncomingHttpHeaders): string | undefined => {
  const { origin, host, 'sec-fetch-site': site } = headers;
  // `none` means that a user opened the address, not a page.
  if (site !== undefined) {
    return site === 'same-origin' || site === 'none' ? undefined : `sec-fetch-site: ${site}`;
  }
  // The scheme may differ: a proxy may have ended TLS.
  return origin === undefined || URL.parse(origin)?.host === host?.toLowerCase()
    ? undefined
    : `origin: ${origin}`;
};

/**
 * The header that shows that a page of a different origin makes this request, or could read its response.
 *
 * A connection from this machine proves nothing: any page can make its browser post here, and a page whose host name
 * resolves to this machine can read the response.
 */
export const foreignHeader = (headers: IncomingHttpHeaders): string | undefined =>
  foreignHost(headers) ?? otherOrigin(headers);

const originRefused = (reason: string): Refusal => new Refusal(403, 'ORIGIN_REFUSED', reason);

/**
 * Checks that a request may use a server whose control endpoints have no token.
 *
 * @throws A {@link Refusal} 403, when other machines can reach the server, or the request names a different host.
 */
export const checkLocal = (headers: IncomingHttpHeaders, { loopback }: AdminAccess): void => {
  if (!loopback) {
    throw new Refusal(
      403,
      'ADMIN_TOKEN_REQUIRED',
      'Other machines can reach this server, so its control endpoints are closed. Start it with an admin token to open them.',
    );
  }
  const host = foreignHost(headers);
  if (host !== undefined) {
    throw originRefused(
      `Without an admin token, the control endpoints accept only requests to this machine, but this one has ${JSON.stringify(host)}. Call http://127.0.0.1 or http://localhost, or start the server with an admin token.`,
    );
  }
};

/**
 * Checks that a request may use the control endpoints.
 *
 * @throws A {@link Refusal} 401, when the token is missing or wrong.
 * @throws A {@link Refusal} 403, when the server has no token and {@link checkLocal} refuses the request, or when a
 * page of a different origin makes it.
 */
export const checkAdmin = (headers: IncomingHttpHeaders, access: AdminAccess): void => {
  if (access.token === undefined) {
    checkLocal(headers, access);
  } else {
    checkToken(headers, access.token);
    if (headers.origin !== undefined && isAllowed(access.origins, headers.origin)) {
      return;
    }
  }
  const other = otherOrigin(headers);
  if (other !== undefined) {
    throw originRefused(
      `The control endpoints refuse web pages of other origins, and this request has ${JSON.stringify(other)}. Call them from a program, or through the page's own server.`,
    );
  }
};
