import type { Machine } from '../clock/machine.ts';
import type { Sim } from '../sim.ts';

/** The connection of processes to an engine that they share, such as Redis. */
export interface Rpc {
  /**
   * Runs something in the engine, and returns its result after the way back.
   *
   * @param onLost Called when the process cannot know whether it has run.
   */
  call<Result>(
    machine: Machine,
    name: string,
    run: () => Result,
    onLost?: () => void,
  ): Promise<Awaited<Result>>;
  /** Starts an outage, in which requests fail, or are lost without a word. The returned function ends it. */
  interrupt(silent: boolean): () => void;
}

/** Creates a connection whose messages take at most the given milliseconds. */
export const createRpc = (sim: Sim, engine: string, latencyMs: number): Rpc => {
  const down: { readonly silent: boolean }[] = [];
  let calls = 0;
  return {
    call: (machine, name, run, onLost = () => {}) =>
      new Promise((resolve, reject) => {
        calls += 1;
        const random = sim.random(`${engine}/${calls}`);
        const reply = machine.guard(resolve);
        const refuse = machine.guard(reject);
        const [outMs, backMs] = [random.whole(0, latencyMs), random.whole(0, latencyMs)];
        const outage = down.at(-1);
        if (outage !== undefined) {
          onLost();
          sim.log(`${machine.name} ${engine}.${name} ${outage.silent ? 'is lost' : 'fails'}`);
          // The reply of a command may be lost although the engine has run it.
          if (outage.silent && random.chance(0.5)) {
            sim.timeline.after(outMs, 'event', () => void run());
          } else if (!outage.silent) {
            sim.timeline.after(outMs, 'event', () => refuse(new Error(`${engine} is down`)));
          }
          return;
        }
        sim.timeline.after(outMs, 'event', () => {
          const result = run();
          sim.log(`${machine.name} ${engine}.${name} ${JSON.stringify(result) ?? ''}`);
          sim.timeline.after(backMs, 'event', () => reply(result as Awaited<typeof result>));
        });
      }),
    interrupt(silent) {
      const outage = { silent };
      down.push(outage);
      return () => void down.splice(down.indexOf(outage), 1);
    },
  };
};
