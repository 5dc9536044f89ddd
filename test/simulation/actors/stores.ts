import type { ClaimState, DedupeStore } from '@confab/webhooks';
import { createMemoryDedupeStore } from '@confab/webhooks';
import type { RateLimitStore } from '../../../packages/client/src/redis/shared-window.ts';
import { createBudget } from '../../support/budget.ts';
import type { Machine } from '../clock/machine.ts';
import type { DeliveriesLedger } from '../invariants/deliveries.ts';
import { createWindow } from '../invariants/window.ts';
import type { Sim } from '../sim.ts';

/** Connects processes to an engine that they share, such as Redis. A message takes at most `latencyMs`. */
const createRpc = (sim: Sim, engine: string, latencyMs: number) => {
  /** The outages that have not ended. In a silent one, commands get no reply; in any other, they fail. */
  const outages: { readonly silent: boolean }[] = [];
  let calls = 0;
  return {
    /**
     * Runs a command in the engine, and returns its result once the reply has arrived.
     *
     * @param onLost Called if the process cannot know whether the command has run.
     */
    call: <Result>(machine: Machine, name: string, run: () => Result, onLost = () => {}) =>
      new Promise<Awaited<Result>>((resolve, reject) => {
        calls += 1;
        const random = sim.random(`${engine}/${calls}`);
        const [outMs, backMs] = [random.integer(0, latencyMs), random.integer(0, latencyMs)];
        const reply = machine.guard((result: Result) => resolve(result as Awaited<Result>));
        const refuse = machine.guard(reject);
        const outage = outages.at(-1);
        if (outage === undefined) {
          sim.after(outMs, () => {
            const result = run();
            sim.log(`${machine.name} ${engine}.${name} ${JSON.stringify(result) ?? ''}`);
            sim.after(backMs, () => reply(result));
          });
          return;
        }
        onLost();
        sim.log(`${machine.name} ${engine}.${name} ${outage.silent ? 'is lost' : 'fails'}`);
        if (!outage.silent) {
          sim.after(outMs, () => refuse(new Error(`${engine} is down`)));
        } else if (random.chance(0.5)) {
          // The reply of a command may be lost although the engine has run it.
          sim.after(outMs, run);
        }
      }),
    interrupt(silent: boolean, until: number): void {
      const outage = { silent };
      outages.push(outage);
      sim.at(until, () => outages.splice(outages.indexOf(outage), 1));
    },
  };
};

/** The most milliseconds that a message to the engine takes. */
const LATENCY = 20;

/** Creates the engine that holds the shared window of a fleet, in memory. */
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
    /** How many of them the window may hold; undefined once each process may use the whole limit on its own. */
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

/** The probability that the reply to a claim is garbled while faults last. */
const GARBLED = 0.03;

/** Returns the delivery id that a key of the store begins with. */
const idIn = (key: string): string => key.replace(/-[\da-f]{64}$/, '');

/** Creates the store that all receivers and workers share; it survives their crashes. */
export const createSharedDedupe = (sim: Sim, ledger: DeliveriesLedger) => {
  const rpc = createRpc(sim, 'dedupe', sim.settings.hooks.storeMs);
  const store = createMemoryDedupeStore({ now: sim.timeline.now });
  let claims = 0;
  return {
    interrupt: rpc.interrupt,
    /** The store as one process sees it. */
    storeFor: (machine: Machine): DedupeStore => ({
      claim(key, claim) {
        claims += 1;
        const garbled = !sim.isCalm() && sim.random(`dedupe/garbled/${claims}`).chance(GARBLED);
        // A store that is badly written, or a proxy in front of it, may return anything.
        const run = garbled ? () => null as unknown as ClaimState : () => store.claim(key, claim);
        return rpc.call(machine, `claim(${idIn(key)})`, run);
      },
      release: (key, claim) =>
        rpc.call(machine, `release(${idIn(key)})`, () => void store.release(key, claim)),
      complete(key, claim) {
        const id = idIn(key);
        const process = { machine: machine.name, life: machine.life };
        const run = () => {
          void store.complete(key, claim);
          ledger.recorded(process, id);
        };
        return rpc.call(machine, `complete(${id})`, run, () => ledger.unrecorded(process, id));
      },
    }),
  };
};

export type SharedDedupe = ReturnType<typeof createSharedDedupe>;
