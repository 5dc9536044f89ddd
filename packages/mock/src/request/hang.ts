import { logRequest } from './log-request.ts';
import type { RequestContext } from './request-context.ts';

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
