/**
 * Runs the simulation. Each seed draws a scenario of clients, a service, receivers and a network, runs it in virtual time,
 * and checks the invariants. docs/proof/simulation.md describes it.
 */
import { readCommandLine } from '../../scripts/command/read-command-line.ts';
import { failingText, failureText } from './failure.ts';
import { loadSimulation } from './load.ts';
import { findMutants } from './mutants/find-mutants.ts';
import type { SimulationOptions } from './options.ts';
import { parseSimulationOptions, SIMULATION } from './options.ts';
import { runSeeds } from './run-seeds.ts';
import type { Scenario } from './scenario/scenario.ts';
import { progressText, summary } from './summary.ts';
import { writeMutants, writeSeeds } from './write-page.ts';

type OptionsOf<Kind> = Extract<SimulationOptions, { readonly kind: Kind }>;

const print = (text: string): void => void process.stdout.write(`${text}\n`);

/** Runs one scenario, and prints its trace. */
const runOne = async (scenario: Scenario): Promise<boolean> => {
  const run = await loadSimulation();
  const { trace, digest, violation } = await run(scenario);
  print(JSON.stringify(scenario.settings));
  print(trace.join('\n'));
  print(`sha256 of the trace: ${digest}`);
  print(
    violation === undefined
      ? 'Every invariant holds.'
      : `It breaks the invariant ${violation.invariant}: ${violation.message}`,
  );
  return violation === undefined;
};

/** Seconds between two lines about the progress. */
const PROGRESS_EVERY = 10;

const runMany = async ({ from, count, threads, write }: OptionsOf<'seeds'>): Promise<boolean> => {
  let printedAt = 0;
  const result = await runSeeds({
    from,
    count,
    threads,
    onProgress: (soFar) => {
      if (soFar.seconds - printedAt >= PROGRESS_EVERY) {
        printedAt = soFar.seconds;
        print(progressText(soFar));
      }
    },
    onFailing: (failing) => {
      // For a command that is stopped, or whose output is closed, before the end.
      process.exitCode = 1;
      print(failingText(failing));
    },
  });
  for (const failure of result.failures) {
    print(`\n${failureText(failure)}`);
  }
  print(`\n${summary(result)}: ${result.failures.length === 0 ? 'every invariant holds' : 'FAILED'}`);
  if (write && result.failures.length === 0) {
    writeSeeds(result);
  }
  return result.failures.length === 0;
};

const runMutants = async ({ chosen, threads, write }: OptionsOf<'mutants'>): Promise<boolean> => {
  const findings = await findMutants(chosen, threads, ({ mutant, found, seeds }) => {
    print(
      `${mutant.name}: ${found ? `${found.invariant}, seed ${found.seed}` : `NOT FOUND in ${seeds} seeds`}`,
    );
  });
  if (write) {
    writeMutants(findings);
  }
  return findings.every(({ found }) => found !== undefined);
};

const run = (options: SimulationOptions): Promise<boolean> => {
  if (options.kind === 'scenario') {
    return runOne(options.scenario);
  }
  return options.kind === 'mutants' ? runMutants(options) : runMany(options);
};

const passed = await run(readCommandLine(SIMULATION, parseSimulationOptions));
process.exitCode = passed ? 0 : 1;
