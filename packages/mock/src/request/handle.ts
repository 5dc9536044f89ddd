import { httpsRequired, notFound, payloadTooLarge } from '../errors/refusal.ts';
import { handlers } from '../operations/handlers.ts';
import type { MockRow } from '../world/store/table.ts';
import type { World } from '../world/world.ts';
import { alterResponse, respondWithFault, takeFault } from './apply-fault.ts';
import { admit, authorize, findKey, requireKey } from './auth-and-rate-limit.ts';
import { RequestContext } from './context.ts';
import type { NetworkError, ServiceResponse } from './envelope.ts';
import { errorResponse, NETWORK_ERROR, successResponse } from './envelope.ts';
import type { IncomingRequest } from './incoming-request.ts';
import { checkInput, findRow } from './input.ts';
import { applyDelay } from './latency.ts';
import { logRequest } from './log-request.ts';
import { describeUnknownPath } from './route.ts';

/**
 * Turns a request into a response. Every host calls this function, so that all of them respond alike.
 *
 * If the world is closed or restored before the response, the connection breaks: the request changes nothing and is not
 * logged. A request holds the world's clock, except while it waits.
 *
 * @throws The signal's reason, when the caller aborts.
 */
export const handle = async (
  world: World,
  incoming: IncomingRequest,
): Promise<ServiceResponse | NetworkError> => {
  if (world.closeController.signal.aborted) {
    return NETWORK_ERROR;
  }
  const context = new RequestContext(world, incoming);
  let response: ServiceResponse | NetworkError | undefined;
  try {
    context.body = await incoming.body();
    context.resetSignal.throwIfAborted();
    // Most worlds have neither faults nor latency, and the step would only slow their requests down.
    if (world.faults.planned.length > 0 || world.latency !== 0) {
      response = await applyFaultAndLatency(context);
    }
    incoming.signal?.throwIfAborted();
    response ??= await runOperation(context);
    context.resetSignal.throwIfAborted();
    if (response === NETWORK_ERROR) {
      return response;
    }
    const date = new Date(world.clock.now()).toUTCString();
    const dated = { ...response, headers: { ...response.headers, date } };
    return context.fault === undefined ? dated : alterResponse(dated, context.fault, context);
  } catch (error) {
    if (context.resetSignal.aborted) {
      return NETWORK_ERROR;
    }
    throw error;
  } finally {
    logRequest(context, response === NETWORK_ERROR ? undefined : response);
    context.releaseClock();
  }
};

/** Takes the fault of a request, waits, and returns the response that replaces that of the operation, if there is one. */
const applyFaultAndLatency = async (
  context: RequestContext,
): Promise<ServiceResponse | NetworkError | undefined> => {
  context.fault = await takeFault(context);
  await applyDelay(context);
  return context.fault && (await respondWithFault(context.fault, context));
};

/** Checks a request in the order of the world's behavior, runs its operation, and wraps the result or the error. */
const runOperation = async (context: RequestContext): Promise<ServiceResponse> => {
  const { world, incoming, route, body } = context;
  const { behavior, strict } = world;
  try {
    if (!incoming.secure) {
      throw httpsRequired();
    }
    if (body === undefined) {
      throw payloadTooLarge();
    }
    if (route === undefined) {
      throw notFound(describeUnknownPath(incoming.method, incoming.path));
    }
    const { id, operation, params } = route;
    const key = findKey(world.keys, incoming);
    let input: object = {};
    let row: MockRow | undefined;
    for (const check of behavior.checks) {
      switch (check) {
        case 401:
          requireKey(key, incoming);
          break;
        case 429: {
          const headers = admit(requireKey(key, incoming), world.clock.now());
          context.rateLimitHeaders = world.rateLimitHeaders === 'always' ? headers : {};
          break;
        }
        case 403:
          authorize(requireKey(key, incoming), world.scopes[id] ?? operation.scope);
          break;
        case 400:
          input = checkInput(operation, { params, query: context.query, body }, behavior.input);
          break;
        case 404:
          row = findRow(world.store, route);
          break;
      }
    }
    const result = handlers[id](world, { ...input, row });
    // Only agents are asynchronous, because they run test code.
    const output = result instanceof Promise ? await context.waitForTestCode(result) : result;
    return successResponse(operation, output, { headers: context.rateLimitHeaders, strict });
  } catch (error) {
    incoming.signal?.throwIfAborted();
    // Not thrown again, because each host would respond differently, and msw would send the stack.
    const codes = { ...behavior.codes['*'], ...(route && behavior.codes[route.id]) };
    return errorResponse(error, context.rateLimitHeaders, codes);
  }
};
