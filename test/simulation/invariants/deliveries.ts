import type { Sim } from '../sim.ts';

/** A run of the handlers in which all succeeded. */
interface Effect {
  readonly machine: string;
  readonly life: number;
  /** Whether the dedupe store has recorded it. */
  recorded: boolean;
  /** Whether the process crashed or lost the store before that. A second run is then right: nobody knows of this one. */
  excused: boolean;
}

/** The process that ran handlers, and which of its lives that was. */
type Process = Pick<Effect, 'machine' | 'life'>;

/** Creates a record of the deliveries that the sender signs, which checks each run of the handlers. */
export const createDeliveriesLedger = (sim: Sim) => {
  const genuine = new Map<string, string>();
  const effects = new Map<string, Effect[]>();
  const replayed = new Set<string>();

  /** Changes the runs of a process, of one delivery or of all. */
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
    /** An attacker replays a genuine body under a different id, which no signature covers. The guides warn of this. */
    replayedUnder: (id: string, body: string): void => void replayed.add(`${id} ${body}`),
    handled({ machine, life }: Process, id: string, body: string): void {
      sim.log(`${machine} has handled ${id}`);
      if (genuine.get(id) !== body) {
        if (!replayed.has(`${id} ${body}`)) {
          sim.fail(
            'forged',
            `${machine} handled ${id} with a body that was not signed under this id: ${body}`,
          );
        }
        return;
      }
      const earlier = effects.get(id) ?? [];
      const previous = earlier.find(({ excused }) => !excused);
      if (previous !== undefined) {
        sim.fail('handled-once', `${machine} handled ${id}, which ${previous.machine} had handled before`);
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
    /** Checks that every delivery was handled. Call it once the network has healed and every retry is over. */
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
