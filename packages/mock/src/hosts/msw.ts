import type { HttpHandler } from 'msw/http';
import { HttpResponse, http } from 'msw/http';
import { headersForPage } from '../http/cors.ts';
import type { ServiceResponse } from '../request/envelope.ts';
import { NETWORK_ERROR } from '../request/envelope.ts';
import { handle } from '../request/handle.ts';
import type { BaseUrl } from '../request/incoming-request.ts';
import { API_PATH, fromRequest } from '../request/incoming-request.ts';
import type { World } from '../world/world.ts';
import { toResponse } from './fetch.ts';

/**
 * Adds the length of the body, as servers do. Without it, msw closes the connection to mark the end of the body, and each
 * request of a long test opens, and keeps, one more connection. The length exceeds what is sent of a body that breaks off.
 */
const withLength = (response: ServiceResponse): ServiceResponse => {
  const length = new TextEncoder().encode(response.body).length || (response.pieces === undefined ? 0 : 1);
  return { ...response, headers: { ...response.headers, 'content-length': String(length) } };
};

/** Creates the request handlers for msw. One is enough, because the mock itself finds the operation of a request. */
export const createHandlers = (world: World, baseUrl: BaseUrl): readonly HttpHandler[] => {
  const respond = async (request: Request): Promise<Response> => {
    // Under jsdom and happy-dom, requests of other origins are subject to CORS.
    const cors = headersForPage({ method: request.method, headers: Object.fromEntries(request.headers) });
    if (request.method === 'OPTIONS') {
      return new HttpResponse(null, { status: 204, headers: cors });
    }
    try {
      const response = await handle(world, fromRequest(request, new URL(request.url), baseUrl.prefix));
      return response === NETWORK_ERROR
        ? HttpResponse.error()
        : toResponse(withLength({ ...response, headers: { ...response.headers, ...cors } }), request);
    } catch (error) {
      // The caller has gone, and msw would report the abort as an error of the handler.
      if (request.signal.aborted) {
        return HttpResponse.error();
      }
      throw error;
    }
  };
  return [http.all(`${baseUrl.href}${API_PATH}/*`, ({ request }) => respond(request))];
};
