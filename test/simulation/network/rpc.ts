import type { Machine } from '../clock/machine.ts';
import type { Sim } from '../sim.ts';

/** Creates the connection of processes to an engine that they share, such as Redis; a message takes at most `latencyMs`. */
export const createRpc = (sim: Sim, engine: string, latencyMs: number) => {
  /** The outages that last: whether requests are lost without a word, or fail. */
  const outages: { readonly silent: boolean }[] = [];
  let calls = 0;
  return {
    /**
     * Runs something in the engine, and returns its result after the way back.
     *
     * @param onLost Called when the process cannot know whether it has run.
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
