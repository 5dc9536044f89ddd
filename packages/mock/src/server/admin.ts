import { createHash, timingSafeEqual } from 'node:crypto';
import { Refusal } from '../request/refusal.ts';

/** Who may use the control endpoints. */
export interface AdminAccess {
  /** Asked for in `x-admin-token`, or as a bearer token. */
  readonly token: string | undefined;
  /** True when only this machine reaches the server. */
  readonly loopback: boolean;
}

const digest = (text: string) => createHash('sha256').update(text).digest();

/**
 * Lets a request through to the control endpoints.
 *
 * @throws {Refusal} 401 without the token; 403 when the server is reachable from elsewhere and has none.
 */
export const checkAdmin = (
  header: (name: string) => string | null,
  { token, loopback }: AdminAccess,
): void => {
  if (token === undefined) {
    if (loopback) return;
    throw new Refusal(
      403,
      'SCOPE_REQUIRED',
      'The control endpoints are closed, because this server is reachable from other machines: give it an admin token',
    );
  }
  const given = header('x-admin-token') ?? /^bearer +(\S+)$/i.exec(header('authorization') ?? '')?.[1] ?? '';
  // Digests are of one length, so that the comparison tells nothing about the token's.
  if (!timingSafeEqual(digest(given), digest(token)))
    throw new Refusal(401, 'API_KEY_INVALID', 'The control endpoints need the admin token in x-admin-token');
};
