import type { DedupeStore } from '@confab/webhooks';
import { createMemoryDedupeStore } from '@confab/webhooks';
import type { Machine } from '../clock/machine.ts';
import type { DeliveriesLedger } from '../invariants/deliveries.ts';
import type { Rpc } from '../network/rpc.ts';
import { createRpc } from '../network/rpc.ts';
import type { Sim } from '../sim.ts';

/** The store that all receivers and workers share; it survives their crashes. */
export interface SharedDedupe {
  readonly rpc: Rpc;
  /** The store as one process sees it. */
  storeFor(machine: Machine): DedupeStore;
}

/** The id in a key of the store. */
const idIn = (key: string): string => key.split(':')[0] ?? key;

/** Creates the store. */
export const createSharedDedupe = (sim: Sim, ledger: DeliveriesLedger): SharedDedupe => {
  const rpc = createRpc(sim, 'dedupe', sim.scenario.settings.hooks.storeMs);
  const store = createMemoryDedupeStore({ now: () => sim.timeline.now() });
  return {
    rpc,
    storeFor: (machine) => ({
      claim: (key, claim) => rpc.call(machine, `claim(${idIn(key)})`, () => store.claim(key, claim)),
      release: (key, claim) =>
        rpc.call(machine, `release(${idIn(key)})`, () => void store.release(key, claim)),
      complete(key, claim) {
        const { name, life } = machine;
        const id = idIn(key);
        const run = () => {
          void store.complete(key, claim);
          ledger.recorded(id, name, life);
        };
        return rpc.call(machine, `complete(${id})`, run, () => ledger.unrecorded(id, name, life));
      },
    }),
  };
};
