import { parentPort, workerData } from 'node:worker_threads';
import type { Failure } from './failure.ts';
import { shrinkFailure } from './failure.ts';
import { loadSimulation } from './load.ts';
import { mutants } from './mutants/table.ts';
import { drawScenario } from './scenario/draw-scenario.ts';

/** The seeds of one thread: every `stride`th one. */
export interface SeedsTask {
  readonly from: number;
  readonly to: number;
  readonly stride: number;
  /** The name of a mutant to put back. Then the thread ends at the first failure, which it does not shrink. */
  readonly mutant?: string | undefined;
}

/** What a thread reports after some seeds. */
export interface SeedsReport {
  readonly seeds: number;
  readonly events: number;
  readonly failure?: Failure | undefined;
}

/** Seeds between two reports. */
const REPORT_EVERY = 25;

const { from, to, stride, mutant } = workerData as SeedsTask;
const run = await loadSimulation(mutants.find(({ name }) => name === mutant));

let seeds = 0;
let events = 0;
const report = (failure?: Failure): void => {
  const message: SeedsReport = { seeds, events, failure };
  parentPort?.postMessage(message);
  [seeds, events] = [0, 0];
};

for (let seed = from; seed <= to; seed += stride) {
  const scenario = drawScenario(seed);
  const result = await run(scenario);
  seeds += 1;
  events += result.events;
  if (result.violation !== undefined) {
    const { violation, trace } = result;
    const ids = scenario.steps.map(({ id }) => id);
    report(
      mutant === undefined
        ? await shrinkFailure(run, scenario, violation)
        : { seed, violation, kept: ids, of: ids.length, trace },
    );
    if (mutant !== undefined) {
      break;
    }
  } else if (seeds >= REPORT_EVERY) {
    report();
  }
}
report();
