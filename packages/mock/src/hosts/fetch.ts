import { MockError } from '../errors/mock-error.ts';
import type { BaseUrl, Call } from '../request/call.ts';
import { callOf, targetOf, withinLimit } from '../request/call.ts';
import { NETWORK_ERROR } from '../request/envelope.ts';
import { handle } from '../request/handle.ts';
import type { World } from '../world/world.ts';
import { checkOpen } from '../world/world.ts';
import { toResponse } from './to-response.ts';

/** A function with the signature of `fetch` that sends every request to a mock. */
export type MockFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** The {@link Call} for simple arguments, without the cost of a `Request`, which halves the rate of the mock. */
const plainCall = (url: URL, init: RequestInit, prefix: string): Call | undefined => {
  const { method = 'GET', body = '', signal, headers: given } = init;
  const isPlain =
    typeof body === 'string' && (method === 'GET' ? body === '' : /^(?:POST|PATCH)$/.test(method));
  if (!isPlain || url.username !== '' || url.password !== '') {
    return undefined;
  }
  const headers = new Headers(given);
  return {
    ...targetOf(url, prefix),
    method,
    signal: signal ?? undefined,
    header: (name) => headers.get(name),
    headers: () => headers,
    body: () => withinLimit(body),
  };
};

/** Creates a `fetch` for one origin, which touches nothing global. */
export const createFetch =
  (world: World, { origin, prefix }: BaseUrl): MockFetch =>
  async (input, init = {}) => {
    const isRequest = typeof input !== 'string' && !(input instanceof URL);
    // Throws the platform's own error for an invalid URL.
    const url = new URL(isRequest ? input.url : input);
    if (url.origin !== origin) {
      throw new MockError(
        'WRONG_ORIGIN',
        `mock.fetch() handles requests to ${origin}, got one to ${url.origin}. Use mock.baseUrl as the base URL.`,
      );
    }
    const plain = isRequest ? undefined : plainCall(url, init, prefix);
    const call = plain ?? callOf(new Request(input, init), url, prefix);
    call.signal?.throwIfAborted();
    const response = await handle(world, call);
    if (response === NETWORK_ERROR) {
      checkOpen(world, 'mock.fetch()');
      // As the platform's fetch reports a network error: clients tell it from other errors by its class.
      throw new TypeError('fetch failed: the mock cut the connection');
    }
    return toResponse(response, call);
  };
