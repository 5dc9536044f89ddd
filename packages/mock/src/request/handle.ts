import type { OperationId } from '@confab/client/contract';
import { httpsRequired, notFound, payloadTooLarge, Refusal } from '../errors/refusal.ts';
import { perform } from '../operations/perform.ts';
import type { CompleteBehavior } from '../world/behavior.ts';
import { unlessAborted } from '../world/clock/unless-aborted.ts';
import type { ApiKey } from '../world/keys/keys.ts';
import type { Store } from '../world/store/store.ts';
import type { World } from '../world/world.ts';
import { admit, authenticate, authorize } from './admit.ts';
import type { Call } from './call.ts';
import type { NetworkError, ServiceResponse } from './envelope.ts';
import { errorResponse, NETWORK_ERROR, successResponse } from './envelope.ts';
import { applyFault, delayOf, hang, injectedResponse, plannedFault } from './faults.ts';
import type { CheckedInput } from './input.ts';
import { checkInput } from './input.ts';
import { logRequest } from './log.ts';
import { RequestContext } from './request-context.ts';
import type { Route } from './route.ts';

const UNCHECKED: CheckedInput = { params: undefined, query: undefined, body: undefined };

/** @throws {@link Refusal} 404, when the id in the path belongs to no row. */
const checkRow = (store: Store, { id, params }: Route): void => {
  const collection = id.split('.', 1)[0] as 'leads' | 'conversations' | 'agents';
  if (params.id !== undefined && store[collection].get(params.id) === undefined) {
    throw notFound(`No ${collection.slice(0, -1)} has the id ${params.id}`);
  }
};

/** The error with the code that a behavior has for it. */
const withCode = (
  error: unknown,
  codes: CompleteBehavior['codes'],
  operation: OperationId | undefined,
): unknown => {
  if (!(error instanceof Refusal)) {
    return error;
  }
  const { status, message, headers } = error;
  const [own, all]: (Readonly<Record<number, string>> | undefined)[] = [
    operation && codes[operation],
    codes['*'],
  ];
  const code = own?.[status] ?? all?.[status];
  return code === undefined ? error : new Refusal(status, code, message, headers);
};

/**
 * Checks a request in the order of the world's behavior (by default 401, 429, 403, 400, 404, 409), runs its operation, and
 * wraps the result, or the error, in an envelope.
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
    let key: ApiKey | undefined;
    let input = UNCHECKED;
    for (const check of world.behavior.checks) {
      switch (check) {
        case 401:
          key ??= authenticate(world.keys, call);
          break;
        case 429: {
          key ??= authenticate(world.keys, call);
          const window = admit(key, world.clock.now());
          if (world.rateLimitHeaders === 'always') {
            request.headers = window;
          }
          break;
        }
        case 403:
          key ??= authenticate(world.keys, call);
          authorize(key, world.scopes[id] ?? operation.scope);
          break;
        case 400:
          input = checkInput(operation, { params, query, body }, world.behavior.input);
          break;
        default:
          // After all checks, the operation itself looks for its row.
          if (world.behavior.checks.at(-1) !== check) {
            checkRow(world.store, route);
          }
      }
    }
    const performed = perform(world, id, input);
    // Only agents take time: they run code of the test.
    const output = performed instanceof Promise ? await request.waitForTestCode(() => performed) : performed;
    return successResponse(operation, output, { headers: request.headers, strict: world.strict });
  } catch (error) {
    call.signal?.throwIfAborted();
    // Thrown on, each host would turn it into something else; msw would send its stack.
    return errorResponse(withCode(error, world.behavior.codes, route?.id), {
      headers: request.headers,
      strict: world.strict,
    });
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
