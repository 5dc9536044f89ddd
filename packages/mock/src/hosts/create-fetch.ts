import { NETWORK_ERROR } from '../request/call.ts';
import { handle } from '../request/handle.ts';
import type { World } from '../world/world.ts';
import type { BaseUrl } from './base-url.ts';
import { callOf } from './call-of.ts';
import { toResponse } from './to-response.ts';

/** The platform's `fetch`, answered by a mock. */
export type MockFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** A `fetch` that knows one origin, and touches nothing global. */
export const createFetch =
  (world: World, baseUrl: BaseUrl): MockFetch =>
  async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    if (url.origin !== baseUrl.origin)
      throw new TypeError(
        `mock.fetch answers for ${baseUrl.origin}, not for ${url.origin}: use mock.baseUrl as the base URL`,
      );
    request.signal.throwIfAborted();
    const answer = await handle(world, callOf(request, url, baseUrl.prefix));
    if (answer === NETWORK_ERROR) throw new TypeError('fetch failed: the mock broke the connection');
    return toResponse(answer);
  };
