import { createHash, timingSafeEqual } from 'node:crypto';
import { isLoopback } from '@confab/internal';
import { Refusal } from '../http/refusal.ts';
import { HOST } from './incoming.ts';

/** Who may use the control endpoints. */
export interface AdminAccess {
  /** Asked for in `x-admin-token`, or as a bearer token. */
  readonly token: string | undefined;
  /** True when only this machine reaches the server. */
  readonly loopback: boolean;
}

type HeaderOf = (name: string) => string | null;

/** What is wrong with an admin token, to stand behind its name; `undefined` if nothing is. */
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
  // Digests are of one length, so that the comparison tells nothing about the token's.
  return given !== undefined && timingSafeEqual(digest(given), digest(token));
};

const leadsHere = (url: string): boolean => isLoopback(URL.parse(url)?.hostname ?? '');

/**
 * A header by which a browser shows that somebody else's page makes this request, or may read its answer.
 *
 * Being reached over loopback proves nothing: any page can have its browser post here, and one whose name was
 * pointed to this machine can read what comes back.
 */
const foreignHeader = (header: HeaderOf): string | undefined => {
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
 * Lets a request through to the control endpoints.
 *
 * @throws {Refusal} 401 without the token; 403 when there is none, and the server is reachable from elsewhere or the
 * request seems to come from there.
 */
export const checkAdmin = (header: HeaderOf, { token, loopback }: AdminAccess): void => {
  if (token !== undefined) {
    if (hasToken(header, token)) {
      return;
    }
    throw new Refusal(401, 'API_KEY_INVALID', 'The control endpoints need the admin token in x-admin-token');
  }
  if (!loopback) {
    throw new Refusal(
      403,
      'SCOPE_REQUIRED',
      'The control endpoints are closed, because this server is reachable from other machines: give it an admin token',
    );
  }
  const foreign = foreignHeader(header);
  if (foreign !== undefined) {
    throw new Refusal(
      403,
      'SCOPE_REQUIRED',
      `The control endpoints are closed to web pages of other hosts, and this request has ${JSON.stringify(foreign)}: call http://127.0.0.1 or localhost, or give the server an admin token`,
    );
  }
};
