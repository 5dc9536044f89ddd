import { parentPort, workerData } from 'node:worker_threads';
import type { FailingSeed, Failure } from './failure.ts';
import { shrinkFailure } from './failure.ts';
import { loadSimulation } from './load.ts';
import type { Mutant } from './mutants/mutant.ts';
import { drawScenario } from './scenario/draw-scenario.ts';

/** The seeds of one thread: every `stride`th one. */
export interface SeedsTask {
  readonly from: number;
  readonly to: number;
  readonly stride: number;
  /** A fault to put into the code. Then failures are not shrunk. */
  readonly mutant?: Mutant | undefined;
}

/** What a thread reports after some seeds. */
export interface SeedsReport {
  readonly seeds: number;
  readonly events: number;
  /** A seed that has just failed, and will be shrunk. */
  readonly failing?: FailingSeed | undefined;
  readonly failure?: Failure | undefined;
  /** The seed in which the thread ended too early. */
  readonly unfinished?: number | undefined;
}

/** Seeds between two reports. */
const REPORT_EVERY = 25;

const { from, to, stride, mutant } = workerData as SeedsTask;
const run = await loadSimulation(mutant);

let seeds = 0;
let events = 0;
const report = (news: Pick<SeedsReport, 'failing' | 'failure' | 'unfinished'> = {}): void => {
  const message: SeedsReport = { seeds, events, ...news };
  parentPort?.postMessage(message);
  [seeds, events] = [0, 0];
};

let seed = from;
// A run that awaits something which never happens ends the thread with a code of its own, and throws nothing.
process.once('exit', (code) => {
  if (code !== 0) {
    report({ unfinished: seed });
  }
});

for (; seed <= to; seed += stride) {
  const scenario = drawScenario(seed);
  const result = await run(scenario);
  seeds += 1;
  events += result.events;
  if (result.violation !== undefined) {
    const { violation, trace } = result;
    const ids = scenario.steps.map(({ id }) => id);
    // At once: shrinking takes a while, and the run may be stopped before it ends.
    report({ failing: { seed, violation } });
    report({
      failure:
        mutant === undefined
          ? await shrinkFailure(run, scenario, violation)
          : { seed, violation, kept: ids, of: ids.length, trace },
    });
  } else if (seeds >= REPORT_EVERY) {
    report();
  }
}
report();
