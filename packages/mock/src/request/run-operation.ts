import { errorResponse, successResponse } from '../http/envelope.ts';
import { httpsRequired, notFound, payloadTooLarge } from '../http/refusal.ts';
import type { ServiceResponse } from '../http/service-response.ts';
import { perform } from '../operations/perform.ts';
import { admit } from './admit.ts';
import { authenticate, authorize } from './authenticate.ts';
import { checkInput } from './check-input.ts';
import type { RequestContext } from './request-context.ts';

/**
 * Checks a request in the service's order (401, 429, 403, 400, 404, 409), runs its operation, and wraps the result, or
 * the error, in an envelope.
 *
 * @throws The signal's reason, when the caller has aborted.
 */
export const runOperation = async (request: RequestContext): Promise<ServiceResponse> => {
  const { world, call, route, query, body } = request;
  try {
    if (!call.secure) {
      throw httpsRequired();
    }
    if (body === undefined) {
      throw payloadTooLarge();
    }
    if (route === undefined) {
      throw notFound(`No operation at ${call.method} ${call.path}`);
    }
    const { id, operation, params } = route;
    const key = authenticate(world.keys, call);
    const window = admit(key, world.clock.now());
    if (world.rateLimitHeaders === 'always') {
      request.headers = window;
    }
    authorize(key, world.scopes[id] ?? operation.scope);
    const input = checkInput(operation, { params, query, body });
    const performed = perform(world, id, input);
    // Only agents take time: they run code of the test.
    const output = performed instanceof Promise ? await request.waitForTestCode(() => performed) : performed;
    return successResponse(operation, output, { headers: request.headers, strict: world.strict });
  } catch (error) {
    call.signal?.throwIfAborted();
    // Thrown on, each host would turn it into something else; msw would send its stack.
    return errorResponse(error, { headers: request.headers, strict: world.strict });
  }
};
