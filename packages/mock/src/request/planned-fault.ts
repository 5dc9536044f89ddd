import type { ErrorEnvelope } from '@confab/client/contract';
import { readJson } from '../http/read-json.ts';
import type { Fault, FaultRequest } from '../world/faults/fault.ts';
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
