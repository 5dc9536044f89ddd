import type { IncomingMessage } from 'node:http';
import { operations } from '@confab/client/contract';
import { Refusal } from '../errors/refusal.ts';

/** The methods of all operations, and HEAD. */
const METHODS = ['HEAD', ...new Set(Object.values(operations).map(({ method }) => method))].join(', ');

/** The request headers that a preflight allows if it names none. */
const HEADERS = 'authorization, content-type, x-api-key';

/** The response headers that a page may read, in addition to those that CORS always allows. */
const EXPOSED = 'retry-after, x-ratelimit-limit, x-ratelimit-remaining';

/** Seconds for which a browser remembers a preflight. */
const MAX_AGE = '600';

/** The part of a request that CORS depends on. */
type CorsRequest = Pick<IncomingMessage, 'method' | 'headers'>;

/** The origins whose pages may call the API: `true` for all origins, `false` for the server's own only. */
export type Origins = boolean | readonly string[];

/** Whether pages of an origin may call the API. */
export const isAllowed = (origins: Origins, origin: string): boolean =>
  typeof origins === 'boolean' ? origins : origins.includes(origin);

/** Whether a request is a preflight, with which a browser asks if a page may send the actual request. */
export const isPreflight = ({ method, headers }: CorsRequest): boolean =>
  method === 'OPTIONS' &&
  headers.origin !== undefined &&
  headers['access-control-request-method'] !== undefined;

/** The headers of a response to a preflight, for an origin that is allowed. */
const preflightHeaders = ({ headers }: CorsRequest): Record<string, string> => ({
  'access-control-allow-methods': METHODS,
  // All requested headers are allowed: pages send headers for tracing and headers of their own, which the service ignores.
  'access-control-allow-headers': headers['access-control-request-headers'] ?? HEADERS,
  'access-control-max-age': MAX_AGE,
  // For public pages that call a mock on this machine or in its network.
  ...(headers['access-control-request-private-network'] === 'true' && {
    'access-control-allow-private-network': 'true',
  }),
});

/**
 * The headers of a response that let the page of a request read it.
 *
 * @throws A {@link Refusal} 403, when the origin of a preflight is not allowed.
 */
export const corsHeaders = (origins: Origins, incoming: CorsRequest): Record<string, string> => {
  if (origins === false) {
    return {};
  }
  const { origin = '' } = incoming.headers;
  const preflight = isPreflight(incoming);
  if (isAllowed(origins, origin)) {
    return {
      // Caches must not serve one origin the response for another.
      vary: preflight ? 'origin, access-control-request-headers' : 'origin',
      'access-control-allow-origin': origins === true ? '*' : origin,
      // Browsers ignore this header when the allowed origin is `*`.
      ...(origins !== true && { 'access-control-allow-credentials': 'true' }),
      ...(preflight ? preflightHeaders(incoming) : { 'access-control-expose-headers': EXPOSED }),
    };
  }
  if (preflight) {
    throw new Refusal(
      403,
      'ORIGIN_REFUSED',
      `Pages of ${JSON.stringify(origin)} are not allowed to call this server. Add their origin to \`cors\` or --cors.`,
    );
  }
  return { vary: 'origin' };
};

/** The headers of a response to a page of a test, which may be of any origin and may send credentials. */
export const headersForPage = (incoming: CorsRequest): Record<string, string> =>
  // The `Request` of happy-dom leaves the origin out.
  corsHeaders(incoming.headers.origin === undefined || [incoming.headers.origin], incoming);
