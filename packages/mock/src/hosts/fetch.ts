import { MockError } from '../errors/mock-error.ts';
import type { BaseUrl, Call } from '../request/call.ts';
import { callOf, callOfPlain } from '../request/call.ts';
import { NETWORK_ERROR } from '../request/envelope.ts';
import { handle } from '../request/handle.ts';
import type { World } from '../world/world.ts';
import { checkOpen } from '../world/world.ts';
import { toResponse } from './to-response.ts';

/** A function with the signature of `fetch` that sends every request to a mock. */
export type MockFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

const callFor = (input: string | URL | Request, init: RequestInit, { origin, prefix }: BaseUrl): Call => {
  const isRequest = typeof input !== 'string' && !(input instanceof URL);
  // Throws the platform's own error for an invalid URL.
  const url = new URL(isRequest ? input.url : input);
  if (url.origin !== origin) {
    throw new MockError(
      'WRONG_ORIGIN',
      `mock.fetch() handles requests to ${origin}, got one to ${url.origin}. Use mock.baseUrl as the base URL.`,
    );
  }
  const plain = isRequest ? undefined : callOfPlain(url, init, prefix);
  return plain ?? callOf(new Request(input, init), url, prefix);
};

/** Creates a `fetch` for one origin, which touches nothing global. */
export const createFetch =
  (world: World, baseUrl: BaseUrl): MockFetch =>
  async (input, init = {}) => {
    const call = callFor(input, init, baseUrl);
    call.signal?.throwIfAborted();
    const response = await handle(world, call);
    if (response === NETWORK_ERROR) {
      checkOpen(world, 'mock.fetch()');
      // As the platform's fetch reports a network error: clients tell it from other errors by its class.
      throw new TypeError('fetch failed: the mock cut the connection');
    }
    return toResponse(response, call);
  };
