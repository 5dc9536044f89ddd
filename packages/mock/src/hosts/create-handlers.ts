import { operations } from '@confab/client/contract';
import type { HttpHandler } from 'msw/http';
import { HttpResponse, http } from 'msw/http';
import type { ServiceResponse } from '../http/service-response.ts';
import { NETWORK_ERROR } from '../http/service-response.ts';
import { handle } from '../request/handle.ts';
import type { World } from '../world/world.ts';
import type { BaseUrl } from './base-url.ts';
import { callOf } from './call-of.ts';
import { toResponse } from './to-response.ts';

const METHODS = { GET: http.get, POST: http.post, PATCH: http.patch } as const;

/**
 * Says how long the body is, as servers do. Without it msw ends the connection to mark the end of the body, and each
 * request of a long test makes, and keeps, a connection of its own. Of a body that does not come whole, there is more.
 */
const withLength = (answer: ServiceResponse): ServiceResponse => {
  const length = new TextEncoder().encode(answer.body).length || (answer.ending === 'complete' ? 0 : 1);
  return { ...answer, headers: { ...answer.headers, 'content-length': String(length) } };
};

/** Request handlers of msw: one an operation, and one that answers all else below the base URL with a JSON 404. */
export const createHandlers = (world: World, baseUrl: BaseUrl): readonly HttpHandler[] => {
  const resolve = async ({ request }: { request: Request }): Promise<Response> => {
    try {
      const answer = await handle(world, callOf(request, new URL(request.url), baseUrl.prefix));
      return answer === NETWORK_ERROR ? HttpResponse.error() : toResponse(withLength(answer), request);
    } catch (error) {
      // Nobody waits for this answer any more, and msw would report the abort as a fault of ours.
      if (request.signal.aborted) {
        return HttpResponse.error();
      }
      throw error;
    }
  };
  return [
    ...Object.values(operations).map(({ method, path }) =>
      METHODS[method](baseUrl.href + path.replace(/\{(\w+)\}/g, ':$1'), resolve),
    ),
    http.all(`${baseUrl.href}/*`, resolve),
  ];
};
