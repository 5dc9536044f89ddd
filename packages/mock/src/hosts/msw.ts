import { operations } from '@confab/client/contract';
import type { HttpHandler } from 'msw/http';
import { HttpResponse, http } from 'msw/http';
import type { ServiceResponse } from '../request/envelope.ts';
import { NETWORK_ERROR } from '../request/envelope.ts';
import { handle } from '../request/handle.ts';
import type { BaseUrl } from '../request/incoming-request.ts';
import { fromRequest } from '../request/incoming-request.ts';
import type { World } from '../world/world.ts';
import { toResponse } from './fetch.ts';

const METHODS = { GET: http.get, POST: http.post, PATCH: http.patch } as const;

/**
 * Adds the length of the body, as servers do. Without it, msw closes the connection to mark the end of the body, and each
 * request of a long test opens, and keeps, another connection. The length of an incomplete body is larger
 * than what is sent.
 */
const withLength = (response: ServiceResponse): ServiceResponse => {
  const length = new TextEncoder().encode(response.body).length || (response.cutOff === undefined ? 0 : 1);
  return { ...response, headers: { ...response.headers, 'content-length': String(length) } };
};

/** Creates request handlers for msw: one per operation, and one that responds with a JSON 404 to any other request. */
export const createHandlers = (world: World, baseUrl: BaseUrl): readonly HttpHandler[] => {
  const resolve = async ({ request }: { request: Request }): Promise<Response> => {
    try {
      const response = await handle(world, fromRequest(request, new URL(request.url), baseUrl.prefix));
      return response === NETWORK_ERROR ? HttpResponse.error() : toResponse(withLength(response), request);
    } catch (error) {
      // The caller has gone, and msw would report the abort as an error of the handler.
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
