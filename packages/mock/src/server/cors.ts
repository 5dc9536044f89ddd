import type { IncomingMessage } from 'node:http';
import { operations } from '@confab/client/contract';
import { Refusal } from '../errors/refusal.ts';
import { headerOf } from './incoming.ts';

/** The methods of all operations, and HEAD. */
const METHODS = ['HEAD', ...new Set(Object.values(operations).map(({ method }) => method))].join(', ');

/** The headers that a preflight allows if it asks for none in particular. */
const HEADERS = 'authorization, content-type, x-api-key';

/** The response headers that a page may read, in addition to those that CORS always allows. */
const EXPOSED = 'retry-after, x-ratelimit-limit, x-ratelimit-remaining';

/** Seconds for which a browser remembers a preflight. */
const MAX_AGE = '600';

/** The part of a request that CORS is about. */
type CorsRequest = Pick<IncomingMessage, 'method' | 'headers'>;

/** Lets pages of other origins call the API. */
export interface Cors {
  /** Whether pages of an origin may call the API. */
  allows(origin: string): boolean;
  /**
   * The headers of a response that let the page of a request read it.
   *
   * @throws {@link Refusal} 403, when the origin of a preflight is not allowed.
   */
  headers(incoming: CorsRequest): Readonly<Record<string, string>>;
}

/** Whether a browser asks if a page may send the actual request. */
export const isPreflight = ({ method, headers }: CorsRequest): boolean =>
  method === 'OPTIONS' &&
  headers.origin !== undefined &&
  headers['access-control-request-method'] !== undefined;

const notAllowed = (origin: string | null): Refusal =>
  new Refusal(
    403,
    'ORIGIN_REFUSED',
    `Pages of ${JSON.stringify(origin)} are not allowed to call this server. Add their origin to \`cors\` or --cors.`,
  );

/** The headers of a response to a preflight, for an origin that is allowed. */
const preflightHeaders = (incoming: CorsRequest): Readonly<Record<string, string>> => ({
  'access-control-allow-methods': METHODS,
  // Whatever is asked for: pages send headers of tracing and of their own, which the service ignores.
  'access-control-allow-headers': headerOf(incoming, 'access-control-request-headers') ?? HEADERS,
  'access-control-max-age': MAX_AGE,
  // Public pages that call a mock on this machine or in its network.
  ...(headerOf(incoming, 'access-control-request-private-network') === 'true' && {
    'access-control-allow-private-network': 'true',
  }),
});

/** @param allowed `true` for pages of every origin. */
export const createCors = (allowed: true | readonly string[]): Cors => {
  const origins = allowed === true ? undefined : new Set(allowed);
  const allows = (origin: string): boolean => origins === undefined || origins.has(origin);
  return {
    allows,
    headers(incoming) {
      const origin = headerOf(incoming, 'origin');
      const preflight = isPreflight(incoming);
      // Caches must not show one origin what was meant for another.
      const vary = ['origin', ...(preflight ? ['access-control-request-headers'] : [])].join(', ');
      if (!allows(origin ?? '')) {
        if (preflight) {
          throw notAllowed(origin);
        }
        return { vary };
      }
      return {
        vary,
        'access-control-allow-origin': origins === undefined ? '*' : (origin ?? ''),
        ...(preflight ? preflightHeaders(incoming) : { 'access-control-expose-headers': EXPOSED }),
      };
    },
  };
};
