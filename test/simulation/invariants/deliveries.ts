import type { Sim } from '../sim.ts';

/** A finished run of a handler. */
interface Effect {
  readonly machine: string;
  readonly life: number;
  /** Whether the dedupe store has learned of it. */
  recorded: boolean;
  /** Whether the process crashed, or lost the store, before it had. Then a repeat is right: nobody knows of the run. */
  excused: boolean;
}

/** What a handler received. */
interface Handled {
  readonly id: string;
  readonly body: string;
  readonly machine: string;
  readonly life: number;
}

/** Watches what the sender signs and what the handlers receive. */
export interface DeliveriesLedger {
  /** The sender has signed this body under this id. */
  signed(id: string, body: string): void;
  /** An attacker repeats a genuine body under another id, which no signature covers: the guides warn of this. */
  repeatedUnder(id: string, body: string): void;
  handled(run: Handled): void;
  /** The dedupe store has recorded a run. */
  recorded(id: string, machine: string, life: number): void;
  /** A process could not tell the store of its run. */
  unrecorded(id: string, machine: string, life: number): void;
  crashed(machine: string, life: number): void;
  /** Checks that everything was handled; called once the network has healed and every retry is over. */
  checkAll(): void;
}

/** Creates the ledger of all deliveries. */
export const createDeliveriesLedger = (sim: Sim): DeliveriesLedger => {
  const genuine = new Map<string, string>();
  const effects = new Map<string, Effect[]>();
  const repeats = new Set<string>();

  const effectsOf = (id: string, machine: string, life: number): Effect[] =>
    (effects.get(id) ?? []).filter((effect) => effect.machine === machine && effect.life === life);

  return {
    signed: (id, body) => void genuine.set(id, body),
    repeatedUnder: (id, body) => void repeats.add(`${id} ${body}`),
    handled({ id, body, machine, life }) {
      sim.log(`${machine} has handled ${id}`);
      if (genuine.get(id) !== body) {
        if (!repeats.has(`${id} ${body}`)) {
          sim.fail(
            'forged',
            `${machine} handled ${id} with a body that was not signed under this id: ${body}`,
          );
        }
        return;
      }
      const earlier = effects.get(id) ?? [];
      const repeated = earlier.find(({ excused }) => !excused);
      if (repeated !== undefined) {
        sim.fail('handled-once', `${machine} handled ${id}, which ${repeated.machine} had handled before`);
      }
      effects.set(id, [...earlier, { machine, life, recorded: false, excused: false }]);
    },
    recorded(id, machine, life) {
      for (const effect of effectsOf(id, machine, life)) {
        effect.recorded = true;
      }
    },
    unrecorded(id, machine, life) {
      for (const effect of effectsOf(id, machine, life)) {
        effect.excused = !effect.recorded;
      }
    },
    crashed(machine, life) {
      for (const id of effects.keys()) {
        for (const effect of effectsOf(id, machine, life)) {
          effect.excused ||= !effect.recorded;
        }
      }
    },
    checkAll() {
      const lost = [...genuine.keys()].filter((id) => !effects.has(id));
      if (lost.length > 0) {
        sim.fail(
          'delivered',
          `${lost.length} of ${genuine.size} deliveries were never handled, such as ${lost[0]}`,
        );
      }
    },
  };
};
