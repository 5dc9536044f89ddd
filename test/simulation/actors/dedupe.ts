import type { ClaimState, DedupeStore } from '@confab/webhooks';
import { createMemoryDedupeStore } from '@confab/webhooks';
import type { Machine } from '../clock/machine.ts';
import type { DeliveriesLedger } from '../invariants/deliveries.ts';
import { createRpc } from '../network/rpc.ts';
import type { Sim } from '../sim.ts';

/** The probability that the reply to a claim is garbled while faults last. */
const GARBLED = 0.03;

/** The id in a key of the store. */
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
