import type { Call } from '../http/call.ts';
import type { NetworkError, ServiceResponse } from '../http/service-response.ts';
import { NETWORK_ERROR } from '../http/service-response.ts';
import { unlessAborted } from '../world/clock/unless-aborted.ts';
import type { World } from '../world/world.ts';
import { applyFault, injectedResponse } from './apply-fault.ts';
import { delayOf } from './delay-of.ts';
import { hang } from './hang.ts';
import { logRequest } from './log-request.ts';
import { plannedFault } from './planned-fault.ts';
import { RequestContext } from './request-context.ts';
import { runOperation } from './run-operation.ts';

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
