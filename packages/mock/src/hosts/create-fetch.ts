import type { Call } from '../http/call.ts';
import { NETWORK_ERROR } from '../http/service-response.ts';
import { handle } from '../request/handle.ts';
import { checkOpen } from '../world/close-world.ts';
import type { World } from '../world/world.ts';
import type { BaseUrl } from './base-url.ts';
import { callOf, callOfPlain } from './call-of.ts';
import { toResponse } from './to-response.ts';

/** The platform's `fetch`, answered by a mock. */
export type MockFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

const callFor = (input: string | URL | Request, init: RequestInit, { origin, prefix }: BaseUrl): Call => {
  const isRequest = typeof input !== 'string' && !(input instanceof URL);
  // The same message as the platform's for a URL that is none.
  const url = new URL(isRequest ? input.url : input);
  if (url.origin !== origin) {
    throw new TypeError(
      `mock.fetch answers for ${origin}, not for ${url.origin}: use mock.baseUrl as the base URL`,
    );
  }
  const plain = isRequest ? undefined : callOfPlain(url, init, prefix);
  return plain ?? callOf(new Request(input, init), url, prefix);
};

/** A `fetch` that knows one origin, and touches nothing global. */
export const createFetch =
  (world: World, baseUrl: BaseUrl): MockFetch =>
  async (input, init = {}) => {
    const call = callFor(input, init, baseUrl);
    call.signal?.throwIfAborted();
    const answer = await handle(world, call);
    if (answer === NETWORK_ERROR) {
      checkOpen(world, 'mock.fetch()');
    }
    if (answer === NETWORK_ERROR) {
      throw new TypeError('fetch failed: the mock broke the connection');
    }
    return toResponse(answer, call);
  };
