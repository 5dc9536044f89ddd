import type { RateLimitStore } from '../../../packages/client/src/redis/shared-window.ts';
import { createBudget } from '../../support/budget.ts';
import type { Machine } from '../clock/machine.ts';
import { createWindow } from '../invariants/window.ts';
import { createRpc } from '../network/rpc.ts';
import type { Sim } from '../sim.ts';

/** Milliseconds that a message to the engine takes at most. */
const LATENCY = 20;

/** Creates the engine that keeps the shared window of a fleet, in memory. */
export const createSharedBudget = (sim: Sim) => {
  const rpc = createRpc(sim, 'budget', LATENCY);
  const { requests, perMs, onStoreError } = sim.settings.fleet;
  const budget = createBudget({ requests, perMs });
  const { now } = sim.timeline;
  let promised = true;
  let processes = 0;
  return {
    /** The requests of all clients of the fleet. */
    window: createWindow(now),
    /** How many of them its window may hold; `undefined` once each process may keep to the whole limit on its own. */
    allowed: () => (promised ? requests : undefined),
    interrupt(silent: boolean, until: number): void {
      promised &&= onStoreError === 'throw';
      rpc.interrupt(silent, until);
    },
    /** The store as one life of a process sees it: a process that starts again has no place in the line. */
    storeFor(machine: Machine): RateLimitStore {
      processes += 1;
      const id = processes;
      return {
        take: ({ count, leaseMs }) =>
          rpc.call(machine, `take(${count})`, () => budget.take(id, count, leaseMs, now())),
        release: (place, counts) =>
          rpc.call(machine, `release(${place}, ${counts})`, () => budget.release(place, counts, now())),
        pause: (ms) => rpc.call(machine, `pause(${ms})`, () => budget.pause(ms, now())),
      };
    },
  };
};

export type SharedBudget = ReturnType<typeof createSharedBudget>;
