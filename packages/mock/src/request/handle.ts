import { httpsRequired, notFound, payloadTooLarge } from '../errors/refusal.ts';
import { perform } from '../operations/perform.ts';
import { unlessAborted } from '../world/clock/unless-aborted.ts';
import type { World } from '../world/world.ts';
import { admit, authenticate, authorize } from './admit.ts';
import type { Call } from './call.ts';
import type { NetworkError, ServiceResponse } from './envelope.ts';
import { errorResponse, NETWORK_ERROR, successResponse } from './envelope.ts';
import { applyFault, delayOf, hang, injectedResponse, plannedFault } from './faults.ts';
import { checkInput } from './input.ts';
import { logRequest } from './log.ts';
import { RequestContext } from './request-context.ts';

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

/**
 * Turns a request into a response. Every host calls this one function, so all of them respond alike.
 *
 * A request whose world is closed or restored before it has a response breaks off like a connection: it changes nothing,
 * and is not logged.
 *
 * @throws The signal's reason, when the caller aborts.
 */
export const handle = async (world: World, call: Call): Promise<ServiceResponse | NetworkError> => {
  if (world.life.over) {
    return NETWORK_ERROR;
  }
  const request = new RequestContext(world, call);
  try {
    request.body = await unlessAborted(call.body(), call.signal);
    request.checkEra();

    if (!world.faults.none) {
      request.fault = await plannedFault(request);
      request.checkEra();
    }

    const delay = delayOf(request);
    if (delay > 0) {
      await request.wait((signal) => world.clock.sleep(delay, signal));
    }

    if (request.fault?.network === 'error') {
      return NETWORK_ERROR;
    }
    if (request.fault?.network === 'hang') {
      await hang(request);
    }

    call.signal?.throwIfAborted();
    const response = injectedResponse(request) ?? (await runOperation(request));
    request.checkEra();

    logRequest(request, response);
    return applyFault(response, request);
  } catch (error) {
    if (request.era.over) {
      return NETWORK_ERROR;
    }
    throw error;
  } finally {
    logRequest(request, undefined);
    request.end();
  }
};
