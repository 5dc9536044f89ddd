import type { RateLimitStore } from '@confab/client/rate-limit';
import { createBudget } from '../../support/budget.ts';
import type { Machine } from '../clock/machine.ts';
import type { Rpc } from '../network/rpc.ts';
import { createRpc } from '../network/rpc.ts';
import type { Limit } from '../scenario/scenario.ts';
import type { Sim } from '../sim.ts';

/** The engine that keeps the shared window of a fleet. */
export interface SharedBudget {
  readonly rpc: Rpc;
  /** The store as one life of a process sees it: a process that starts again has no place in the line. */
  storeFor(machine: Machine): RateLimitStore;
}

/** Milliseconds that a message to the engine takes at most. */
const LATENCY = 20;

/** Creates the engine, in memory. */
export const createSharedBudget = (sim: Sim, { requests, perMs }: Limit): SharedBudget => {
  const rpc = createRpc(sim, 'budget', LATENCY);
  const budget = createBudget({ requests, perMs, line: true });
  const { now } = sim.timeline;
  let processes = 0;
  return {
    rpc,
    storeFor(machine) {
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
