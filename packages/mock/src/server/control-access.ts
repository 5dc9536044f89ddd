import { createHash, timingSafeEqual } from 'node:crypto';
import { isLoopback } from '@confab/internal';
import { Refusal } from '../errors/refusal.ts';
import { HOST } from './incoming.ts';

/** Decides who may use the control endpoints. */
export interface AdminAccess {
  /** The token that requests must send in `x-admin-token`, or as a bearer token. */
  readonly token: string | undefined;
  /** Whether only this machine can reach the server. */
  readonly loopback: boolean;
  /** Whether pages of an origin may use the control endpoints, if they have the token. */
  readonly allows?: ((origin: string) => boolean) | undefined;
}

type HeaderOf = (name: string) => string | null;

/** Says what is wrong with an admin token, to follow its name in a message; `undefined` if it is valid. */
export const tokenProblem = (token: string): string | undefined => {
  if (token.trim() === '') {
    return 'must not be empty. Is its environment variable set?';
  }
  // As with keys: a header loses the spaces around its value, and can't hold most of Unicode.
  if (!/^[\x21-\x7e]+$/.test(token)) {
    return 'must consist of visible ASCII characters without spaces, because it is sent in a header';
  }
  return undefined;
};

const digest = (text: string) => createHash('sha256').update(text).digest();

const tokenIn = (header: HeaderOf): string | undefined =>
  header('x-admin-token') ?? /^bearer +(\S+)$/i.exec(header('authorization') ?? '')?.[1];

/** @throws {@link Refusal} 401, when the token is missing or wrong. */
const checkToken = (header: HeaderOf, token: string): void => {
  const given = tokenIn(header);
  if (given === undefined || given === '') {
    throw new Refusal(
      401,
      'ADMIN_TOKEN_REQUIRED',
      'The control endpoints require the admin token. Send it in the x-admin-token header.',
    );
  }
  // Digests have the same length, so that the comparison does not reveal the token's.
  if (!timingSafeEqual(digest(given), digest(token))) {
    throw new Refusal(
      401,
      'ADMIN_TOKEN_INVALID',
      'This is not the admin token of the server. Send the one that it was started with.',
    );
  }
};

const leadsHere = (url: string): boolean => isLoopback(URL.parse(url)?.hostname ?? '');

/** The `Host` of a request, if that is not this machine: a page whose host name resolves to this machine has sent it. */
const foreignHost = (header: HeaderOf): string | undefined => {
  const host = header('host') ?? '';
  return HOST.test(host) && leadsHere(`http://${host}`) ? undefined : `host: ${host}`;
};

/**
 * A header which shows that a page of another origin makes this request, one at another port of this machine included.
 * Programs send neither of these headers.
 */
const otherOrigin = (header: HeaderOf, allows: AdminAccess['allows']): string | undefined => {
  const [origin, site] = [header('origin'), header('sec-fetch-site')];
  if (origin !== null && allows?.(origin)) {
    return undefined;
  }
  // No page initiates the request of a user who opens an address.
  if (site !== null) {
    return site === 'same-origin' || site === 'none' ? undefined : `sec-fetch-site: ${site}`;
  }
  // The scheme may differ: a proxy may have ended TLS.
  return origin === null || URL.parse(origin)?.host === header('host')?.toLowerCase()
    ? undefined
    : `origin: ${origin}`;
};

/**
 * A header which shows that a page of another origin makes this request, or could read its response.
 *
 * That the connection comes from this machine is not enough: any page can make its browser post here, and a page whose
 * host name resolves to this machine can read the response.
 */
export const foreignHeader = (header: HeaderOf): string | undefined =>
  foreignHost(header) ?? otherOrigin(header, undefined);

const originRefused = (reason: string): Refusal => new Refusal(403, 'ORIGIN_REFUSED', reason);

/**
 * Checks that a request may use a server whose control endpoints have no token.
 *
 * @throws {@link Refusal} 403, when other machines can reach the server, or the request names another host.
 */
export const checkLocal = (header: HeaderOf, { loopback }: Pick<AdminAccess, 'loopback'>): void => {
  if (!loopback) {
    throw new Refusal(
      403,
      'ADMIN_TOKEN_REQUIRED',
      'Other machines can reach this server, so its control endpoints are closed. Start it with an admin token to open them.',
    );
  }
  const host = foreignHost(header);
  if (host !== undefined) {
    throw originRefused(
      `Without an admin token, the control endpoints accept only requests to this machine, but this one has ${JSON.stringify(host)}. Call http://127.0.0.1 or http://localhost, or start the server with an admin token.`,
    );
  }
};

/**
 * Checks that a request may use the control endpoints.
 *
 * @throws {@link Refusal} 401, when the token is missing or wrong.
 * @throws {@link Refusal} 403, when the server has no token and {@link checkLocal} refuses the request, or a page of
 * another origin makes it.
 */
export const checkAdmin = (header: HeaderOf, access: AdminAccess): void => {
  const { token, allows } = access;
  if (token === undefined) {
    checkLocal(header, access);
  } else {
    checkToken(header, token);
  }
  const other = otherOrigin(header, token === undefined ? undefined : allows);
  if (other !== undefined) {
    throw originRefused(
      `The control endpoints refuse web pages of other origins, and this request has ${JSON.stringify(other)}. Call them from a program, or through the page's own server.`,
    );
  }
};
