import { readBody } from '../request/body.ts';
import type { Call } from '../request/call.ts';
import { isLoopback } from './base-url.ts';

/** What the operations need of a request. */
export const callOf = (request: Request, url: URL, prefix = ''): Call => {
  return {
    method: request.method,
    // A path outside the prefix is none of ours, and matches no operation.
    path: url.pathname.startsWith(prefix) ? url.pathname.slice(prefix.length) : url.pathname,
    search: url.search.slice(1),
    secure: url.protocol === 'https:' || isLoopback(url.hostname),
    signal: request.signal,
    header: (name) => request.headers.get(name),
    body: () => readBody(request),
  };
};
