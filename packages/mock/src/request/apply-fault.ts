import type { Operation } from '@confab/client/contract';
import { errorBody, errorResponse, jsonResponse } from '../http/envelope.ts';
import type { Ending, ServiceResponse } from '../http/service-response.ts';
import { isBodiless } from '../http/service-response.ts';
import type { Fault } from '../world/faults/fault.ts';
import type { RequestContext } from './request-context.ts';

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
