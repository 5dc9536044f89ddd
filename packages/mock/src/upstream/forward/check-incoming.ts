import type { IncomingMessage } from 'node:http';
import { pathProblem } from '@confab/internal';
import { foreignHeader } from '../../control/access.ts';
import { isControl } from '../../control/routes.ts';
import { invalid, notFound, Refusal } from '../../errors/refusal.ts';
import { PROXY } from './headers.ts';

/** The path of a request, below the base URL. */
export const pathOf = ({ url = '/' }: IncomingMessage): string => url.replace(/\?.*/s, '');

/**
 * Refuses a request that must not reach the service.
 *
 * @param key The key that the proxy sends in place of the caller's.
 * @throws A {@link Refusal} when the request comes from this proxy, or from a web page that must not use the proxy's
 * key, or when its path could leave the base URL or is that of a control endpoint.
 */
export const checkIncoming = (incoming: IncomingMessage, key: string | undefined): void => {
  if (incoming.headers.via?.includes(PROXY)) {
    throw new Refusal(502, 'SERVICE_UNAVAILABLE', 'This proxy forwards to itself. Check --forward.');
  }
  const foreign = key === undefined ? undefined : foreignHeader(incoming.headers);
  if (foreign !== undefined) {
    throw new Refusal(
      403,
      'ORIGIN_REFUSED',
      `This proxy sends a key of its own, so web pages must not use it, and this request has ${JSON.stringify(foreign)}. Call http://127.0.0.1 or http://localhost from a program.`,
    );
  }
  const path = pathOf(incoming);
  if (isControl(path)) {
    throw notFound(
      'This is a proxy in front of a real service, which has no control endpoints. A test that resets a mock must not call it',
    );
  }
  const problem = pathProblem(path);
  if (problem !== undefined) {
    throw invalid(`The path ${problem}`);
  }
};
