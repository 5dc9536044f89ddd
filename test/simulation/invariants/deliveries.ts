import type { Sim } from '../sim.ts';

/** A run of the handlers in which all succeeded. */
interface Effect {
  readonly machine: string;
  readonly life: number;
  /** Whether the dedupe store has learned of it. */
  recorded: boolean;
  /** Whether the process crashed, or lost the store, before it had. Then a repeat is right: nobody knows of the run. */
  excused: boolean;
}

/** The process that ran handlers, and which of its lives that was. */
type Process = Pick<Effect, 'machine' | 'life'>;

/** Creates what watches the deliveries that the sender signs and the handlers receive. */
export const createDeliveriesLedger = (sim: Sim) => {
  const genuine = new Map<string, string>();
  const effects = new Map<string, Effect[]>();
  const repeats = new Set<string>();

  /** Changes the runs of a process; those of one delivery, or of all. */
  const change = ({ machine, life }: Process, id: string | undefined, update: (effect: Effect) => void) => {
    const some = id === undefined ? [...effects.values()].flat() : (effects.get(id) ?? []);
    some.filter((effect) => effect.machine === machine && effect.life === life).forEach(update);
  };
  const excuse = (effect: Effect): void => {
    effect.excused ||= !effect.recorded;
  };

  return {
    /** The sender has signed this body under this id. */
    signed: (id: string, body: string): void => void genuine.set(id, body),
    /** An attacker repeats a genuine body under another id, which no signature covers: the guides warn of this. */
    repeatedUnder: (id: string, body: string): void => void repeats.add(`${id} ${body}`),
    handled({ machine, life }: Process, id: string, body: string): void {
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
    /** The dedupe store has recorded a run. */
    recorded(process: Process, id: string): void {
      change(process, id, (effect) => {
        effect.recorded = true;
      });
    },
    /** A process could not tell the store of its run. */
    unrecorded: (process: Process, id: string): void => change(process, id, excuse),
    crashed: (process: Process): void => change(process, undefined, excuse),
    /** Checks that everything was handled; called once the network has healed and every retry is over. */
    checkAll(): void {
      const lost = [...genuine.keys()].filter((id) => !effects.has(id));
      if (lost.length > 0) {
        const count = `${lost.length} of ${genuine.size}`;
        sim.fail('delivered', `${count} deliveries were never handled, such as ${lost[0]}`);
      }
    },
  };
};

export type DeliveriesLedger = ReturnType<typeof createDeliveriesLedger>;
