import type { RequestContext } from './context.ts';

/** Draws how many milliseconds a request takes: the mock's latency and the delay of its fault. */
const drawDelay = ({ world: { latency, networkRandom }, fault }: RequestContext): number => {
  const latencyMs =
    typeof latency === 'number' ? latency : latency.min + networkRandom.next() * (latency.max - latency.min);
  return latencyMs + (fault?.delayMs ?? 0);
};

/**
 * Waits for the mock's latency and the delay of the fault.
 *
 * @throws The signal's reason, when the caller aborts or the mock is reset.
 */
export const applyDelay = async (context: RequestContext): Promise<void> => {
  const delay = drawDelay(context);
  if (delay > 0) {
    await context.wait((signal) => context.world.clock.sleep(delay, signal));
  }
};
