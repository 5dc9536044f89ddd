import { isLoopback } from '@confab/internal';
import { readBody, withinLimit } from '../http/body.ts';
import type { Call } from '../http/call.ts';

/** The parts of a {@link Call} that its URL determines. */
export const targetOf = (url: URL, prefix = ''): Pick<Call, 'path' | 'search' | 'secure'> => ({
  // This way, a path outside the prefix matches no operation, but is still readable in the log.
  path: url.pathname.startsWith(`${prefix}/`) ? url.pathname.slice(prefix.length) : `..${url.pathname}`,
  search: url.search.slice(1),
  secure: url.protocol === 'https:' || isLoopback(url.hostname),
});

/** The {@link Call} of a `Request`. */
export const callOf = (request: Request, url: URL, prefix: string): Call => ({
  ...targetOf(url, prefix),
  method: request.method,
  signal: request.signal,
  header: (name) => request.headers.get(name),
  headers: () => request.headers,
  body: () => readBody(request),
});

/**
 * {@link callOf} for the arguments of `fetch`, without the cost of a `Request`; `undefined` when only a `Request` can
 * interpret or check them.
 */
export const callOfPlain = (url: URL, init: RequestInit, prefix: string): Call | undefined => {
  const { method = 'GET', body, signal, headers: given } = init;
  const plain =
    (body === undefined || (typeof body === 'string' && method !== 'GET')) &&
    /^(?:GET|POST|PATCH)$/.test(method) &&
    url.username === '' &&
    url.password === '';
  if (!plain) {
    return undefined;
  }
  const headers = new Headers(given);
  return {
    ...targetOf(url, prefix),
    method,
    signal: signal ?? undefined,
    header: (name) => headers.get(name),
    headers: () => headers,
    body: () => withinLimit(body ?? ''),
  };
};
