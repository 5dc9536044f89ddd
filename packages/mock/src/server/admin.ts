import { createHash, timingSafeEqual } from 'node:crypto';
import { isLoopback } from '@confab/internal';
import { Refusal } from '../http/refusal.ts';
import { HOST } from './incoming.ts';

/** Decides who may use the control endpoints. */
export interface AdminAccess {
  /** The token that requests must send in `x-admin-token`, or as a bearer token. */
  readonly token: string | undefined;
  /** Whether only this machine can reach the server. */
  readonly loopback: boolean;
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

const hasToken = (header: HeaderOf, token: string): boolean => {
  const given = tokenIn(header);
  // Digests have the same length, so that the comparison does not reveal the token's.
  return given !== undefined && timingSafeEqual(digest(given), digest(token));
};

const leadsHere = (url: string): boolean => isLoopback(URL.parse(url)?.hostname ?? '');

/**
 * A header which shows that a page of another host makes this request, or could read its response.
 *
 * That the connection comes from this machine is not enough: any page can make its browser post here, and a page whose
 * host name resolves to this machine can read the response.
 */
export const foreignHeader = (header: HeaderOf): string | undefined => {
  const [host, origin, site] = [header('host'), header('origin'), header('sec-fetch-site')];
  if (host === null || !HOST.test(host) || !leadsHere(`http://${host}`)) {
    return `host: ${host ?? ''}`;
  }
  if (origin !== null && !leadsHere(origin)) {
    return `origin: ${origin}`;
  }
  return site === 'cross-site' ? `sec-fetch-site: ${site}` : undefined;
};

/**
 * Checks that a request may use the control endpoints.
 *
 * @throws {@link Refusal} 401, when the token is missing or wrong.
 * @throws {@link Refusal} 403, when the server has no token and other machines can reach it, or the request seems to come
 * from a page of another host.
 */
export const checkAdmin = (header: HeaderOf, { token, loopback }: AdminAccess): void => {
  if (token !== undefined) {
    if (hasToken(header, token)) {
      return;
    }
    throw new Refusal(
      401,
      'API_KEY_INVALID',
      'The control endpoints need the admin token: send it as x-admin-token',
    );
  }
  if (!loopback) {
    throw new Refusal(
      403,
      'SCOPE_REQUIRED',
      'The control endpoints are closed, because other machines can reach this server. Start it with an admin token.',
    );
  }
  const foreign = foreignHeader(header);
  if (foreign !== undefined) {
    throw new Refusal(
      403,
      'SCOPE_REQUIRED',
      `The control endpoints are closed to web pages of other hosts, and this request has ${JSON.stringify(foreign)}. Call http://127.0.0.1 or http://localhost, or start the server with an admin token.`,
    );
  }
};
