import type { RateLimitGrant, RateLimitStore } from '@confab/client/rate-limit';
import type { Machine } from '../clock/machine.ts';
import type { Rpc } from '../network/rpc.ts';
import { createRpc } from '../network/rpc.ts';
import type { Limit } from '../scenario/scenario.ts';
import type { Sim } from '../sim.ts';

/** The engine that keeps the shared window of a fleet, with the rules of the Redis scripts. */
export interface Budget {
  readonly rpc: Rpc;
  /** The store as one process sees it. */
  storeFor(machine: Machine): RateLimitStore;
}

/** Milliseconds that a message to the engine takes at most. */
const LATENCY = 20;

/** Creates an engine in memory. */
export const createBudget = (sim: Sim, { requests, perMs }: Limit): Budget => {
  const rpc = createRpc(sim, 'budget', LATENCY);
  /** When each place becomes free. */
  const places = new Map<string, number>();
  let taken = 0;
  let pausedUntil = 0;

  const take = (count: number, leaseMs: number): RateLimitGrant => {
    const now = sim.timeline.now();
    if (pausedUntil > now) {
      return { places: [], waitMs: pausedUntil - now, pausedMs: pausedUntil - now };
    }
    for (const [place, freeAt] of places) {
      if (freeAt <= now) {
        places.delete(place);
      }
    }
    const granted = Math.max(0, Math.min(requests - places.size, count));
    const names = Array.from({ length: granted }, () => {
      taken += 1;
      places.set(`place_${taken}`, now + leaseMs + perMs);
      return `place_${taken}`;
    });
    const first = Math.min(...places.values());
    return { places: names, waitMs: granted === count ? 0 : Math.min(first - now, perMs), pausedMs: 0 };
  };

  const release = (place: string, counts: boolean): void => {
    if (!counts) {
      places.delete(place);
    } else if (places.has(place)) {
      places.set(place, sim.timeline.now() + perMs);
    }
  };

  return {
    rpc,
    storeFor: (machine) => ({
      take: ({ count, leaseMs }) => rpc.call(machine, `take(${count})`, () => take(count, leaseMs)),
      release: (place, counts) =>
        rpc.call(machine, `release(${place}, ${counts})`, () => release(place, counts)),
      pause: (ms) =>
        rpc.call(machine, `pause(${ms})`, () => {
          pausedUntil = Math.max(pausedUntil, sim.timeline.now() + ms);
        }),
    }),
  };
};
