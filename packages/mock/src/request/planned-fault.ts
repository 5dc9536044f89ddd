import type { ErrorEnvelope } from '@confab/client/contract';
import type { Era } from '../world/clock/era.ts';
import type { Fault, FaultRequest } from '../world/faults/fault.ts';
import type { World } from '../world/world.ts';
import { readJson } from './check-input.ts';
import type { Received } from './request-context.ts';

/** What a test has planned for a request; a function of its own may take its time over that, and may fail. */
export const plannedFault = async (
  world: World,
  { call, found, query, body }: Received,
  era: Era,
): Promise<Fault | undefined> => {
  try {
    // Copies: what a function does to them changes nothing, on any host.
    const request: FaultRequest = {
      operation: found?.id,
      method: call.method,
      path: call.path,
      params: { ...found?.params },
      query: { ...query.values },
      body: readJson(body ?? '').value,
      headers: new Headers(call.headers()),
    };
    return await world.faults.take(request, era);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return {
      status: 500,
      body: {
        success: false,
        error: `The fault function for ${call.method} ${call.path} failed: ${reason}`,
        code: 'FAULT_FAILED',
      } satisfies ErrorEnvelope,
    };
  }
};
