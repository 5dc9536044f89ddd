/**
 * Runs the simulation: 10,000 seeds, or those that the flags name. Each seed draws a scenario of clients, a service,
 * receivers and a network, runs it in virtual time, and checks the invariants. docs/proof/simulation.md describes it.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { failureText, keepSteps } from './failure.ts';
import { loadSimulation } from './load.ts';
import { findMutants } from './mutants/find-mutants.ts';
import { mutants } from './mutants/table.ts';
import type { SeedsResult } from './run-seeds.ts';
import { runSeeds } from './run-seeds.ts';
import { drawScenario } from './scenario/draw-scenario.ts';
import { writeMutants, writeSeeds } from './write-page.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '10000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    keep: { type: 'string' },
    threads: { type: 'string', default: String(Math.min(2, availableParallelism())) },
    mutants: { type: 'boolean', default: false },
    only: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});

const print = (text: string): void => void process.stdout.write(`${text}\n`);

const whole = (name: 'seeds' | 'from' | 'seed' | 'threads', least: number): number => {
  const number = Number(values[name]);
  if (!Number.isInteger(number) || number < least) {
    throw new Error(`--${name} must be a whole number (${least} or more), got ${values[name]}`);
  }
  return number;
};

const summary = ({ seeds, events, seconds, cpuSeconds }: SeedsResult): string =>
  `${seeds} seeds, ${events} events, ${seconds.toFixed(1)} s, ${(seeds / seconds).toFixed(1)} seeds a second, ${((cpuSeconds / seeds) * 1_000).toFixed(0)} ms of CPU per seed`;

/** Runs one seed, and prints its trace. */
const runOne = async (): Promise<boolean> => {
  const scenario = drawScenario(whole('seed', 0));
  const kept = values.keep?.split(',').map(Number);
  const run = await loadSimulation();
  const { trace, digest, violation } = await run(kept === undefined ? scenario : keepSteps(scenario, kept));
  print(JSON.stringify(scenario.settings));
  print(trace.join('\n'));
  print(`sha256 of the trace: ${digest}`);
  return violation === undefined;
};

/** Seconds between two lines about the progress. */
const PROGRESS_EVERY = 10;

const runMany = async (): Promise<boolean> => {
  let printedAt = 0;
  const result = await runSeeds({
    from: whole('from', 0),
    count: whole('seeds', 1),
    threads: whole('threads', 1),
    onProgress: (soFar) => {
      if (soFar.seconds - printedAt >= PROGRESS_EVERY) {
        printedAt = soFar.seconds;
        print(summary(soFar));
      }
    },
  });
  for (const failure of result.failures) {
    print(`\n${failureText(failure)}`);
  }
  print(`\n${summary(result)}: ${result.failures.length === 0 ? 'every invariant holds' : 'FAILED'}`);
  if (values.write && result.failures.length === 0) {
    writeSeeds(result);
  }
  return result.failures.length === 0;
};

const runMutants = async (): Promise<boolean> => {
  const chosen = mutants.filter(({ name }) => values.only === undefined || name === values.only);
  if (chosen.length === 0) {
    throw new TypeError(
      `--only must name a mutant: ${mutants.map(({ name }) => name).join(', ')}. Got ${values.only}.`,
    );
  }
  const findings = await findMutants(chosen, whole('threads', 1), ({ mutant, found, seeds }) => {
    print(
      `${mutant.name}: ${found ? `${found.invariant}, seed ${found.seed}` : `NOT FOUND in ${seeds} seeds`}`,
    );
  });
  if (values.write) {
    writeMutants(findings);
  }
  return findings.every(({ found }) => found !== undefined);
};

const run = (): Promise<boolean> => {
  if (values.mutants) {
    return runMutants();
  }
  return values.seed === undefined ? runMany() : runOne();
};

const passed = await run();
process.exitCode = passed ? 0 : 1;
