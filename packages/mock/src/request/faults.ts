import type { ErrorEnvelope, Operation } from '@confab/client/contract';
import type { Fault, FaultRequest } from '../world/faults/fault.ts';
import type { Latency } from '../world/world.ts';
import type { Ending, ServiceResponse } from './envelope.ts';
import { errorBody, errorResponse, isBodiless, jsonResponse } from './envelope.ts';
import { readJson } from './json.ts';
import { logRequest } from './log.ts';
import type { RequestContext } from './request-context.ts';

/** Copies, so that a fault function that changes them changes nothing else, on any host. */
const requestFor = ({ call, route, query, body = '' }: RequestContext): FaultRequest => ({
  operation: route?.id,
  method: call.method,
  path: call.path,
  params: { ...route?.params },
  query: { ...query.values },
  body: readJson(body).value,
  headers: new Headers(call.headers()),
});

const decide = async (request: RequestContext): Promise<Fault | undefined> => {
  const { call, world, era } = request;
  try {
    return await world.faults.take(requestFor(request), era);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const body: ErrorEnvelope = {
      success: false,
      error: `The fault function for ${call.method} ${call.path} failed: ${reason}`,
      code: 'FAULT_FAILED',
    };
    return { status: 500, body };
  }
};

/** The fault that a test has planned for a request. A fault function may take its time, and may throw: that is a 500. */
export const plannedFault = (request: RequestContext): Promise<Fault | undefined> =>
  request.waitForTestCode(() => decide(request));

/** How long a request takes, in milliseconds: the mock's latency and the delay of its fault. */
export const delayOf = ({ world, fault }: Pick<RequestContext, 'world' | 'fault'>): number => {
  const { latency, chance } = world;
  const draw = (value: Latency) =>
    typeof value === 'number' ? value : value.min + chance.next() * (value.max - value.min);
  return (latency === 0 ? 0 : draw(latency)) + (fault?.delayMs ?? 0);
};

/**
 * Leaves a request without a response.
 *
 * @throws The signal's reason, when the caller aborts or the era ends.
 */
export const hang = async (request: RequestContext): Promise<void> => {
  // Before it ends, so that a test can see it hang.
  logRequest(request, undefined);
  const resume = request.world.clock.hanging();
  try {
    await request.wait(() => new Promise<void>(() => {}));
  } finally {
    resume();
  }
};

/** Codes for the statuses that tests usually inject. */
const codeFor = (status: number): string => {
  if (status === 429) {
    return 'RATE_LIMIT_EXCEEDED';
  }
  if (status === 503) {
    return 'SERVICE_UNAVAILABLE';
  }
  return status >= 500 ? 'INTERNAL_ERROR' : 'INJECTED_FAULT';
};

const injected = (fault: Fault, operation: Operation | undefined): ServiceResponse | undefined => {
  const { status, code, body } = fault;
  if (status === undefined && code === undefined && body === undefined) {
    return undefined;
  }
  const sent = status ?? (body === undefined ? 500 : (operation?.status ?? 200));
  if (body === undefined) {
    return jsonResponse(sent, errorBody(`A fault with status ${sent} was injected`, code ?? codeFor(sent)));
  }
  return jsonResponse(sent, typeof body === 'string' ? body : JSON.stringify(body));
};

/** The response that the fault of a request replaces the service's with, if it does. */
export const injectedResponse = ({ fault, route, world }: RequestContext): ServiceResponse | undefined => {
  try {
    return fault && injected(fault, route?.operation);
  } catch (error) {
    // The body is not serializable as JSON.
    return errorResponse(error, { headers: {}, strict: world.strict });
  }
};

const lowerCased = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const endingOf = ({ network }: Fault, { world, era }: RequestContext): Ending => {
  if (network === 'truncate') {
    return 'broken';
  }
  if (network !== 'stall') {
    return 'complete';
  }
  return {
    begin(broken) {
      const resume = world.clock.hanging();
      const forget = era.onEnd(() => {
        resume();
        broken();
      });
      return () => {
        resume();
        forget();
      };
    },
  };
};

/** Adds the headers of the request's fault to a response, and cuts its body short if the fault says so. */
export const applyFault = (response: ServiceResponse, request: RequestContext): ServiceResponse => {
  const { fault, call } = request;
  if (fault === undefined) {
    return response;
  }
  // A response without a body has no middle to break off in.
  const bodiless = isBodiless(response.status) || call.method === 'HEAD';
  return {
    ...response,
    headers: { ...response.headers, ...lowerCased(fault.headers ?? {}) },
    ending: bodiless ? 'complete' : endingOf(fault, request),
  };
};
