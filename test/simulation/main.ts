/**
 * Runs the simulation. Each seed draws a scenario of clients, a service, receivers and a network, runs it in virtual time,
 * and checks the invariants. docs/proof/simulation.md describes it.
 */
import './clock/globals.ts';

import { program } from 'commander';
import fc from 'fast-check';
import type { Fault, Invariant } from './faults.ts';
import { FAULTS } from './faults.ts';
import { runScenario } from './run-scenario.ts';
import type { Scenario } from './scenario.ts';
import { drawScenario } from './scenario.ts';

const print = (text: string): void => void process.stdout.write(`${text}\n`);

/** Failures after which the run stops: further ones probably have the same cause. */
const MAX_FAILURES = 3;

/** Seeds between two progress lines. */
const PROGRESS_EVERY = 1_000;

/** Seeds after which a planted fault counts as missed. */
const MAX_SEEDS = 500;

/** Runs many seeds. */
const runMany = async (from: number, count: number): Promise<boolean> => {
  const startedAt = performance.now();
  let [events, failures] = [0, 0];
  const summary = (seeds: number) =>
    `${seeds} seeds, ${events} events, ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`;
  for (let seeds = 1; seeds <= count; seeds += 1) {
    const seed = from + seeds - 1;
    const { violation, events: more } = await runScenario(drawScenario(seed));
    events += more;
    if (violation !== undefined) {
      failures += 1;
      print(`Seed ${seed} breaks the invariant ${violation.invariant}: ${violation.message}`);
      print(`Run it again: pnpm --dir test simulation --seed ${seed}`);
    }
    if (failures === MAX_FAILURES) {
      return false;
    }
    if (seeds % PROGRESS_EVERY === 0) {
      print(summary(seeds));
    }
  }
  print(`${summary(count)}: ${failures === 0 ? 'every invariant holds' : 'FAILED'}`);
  return failures === 0;
};

/** Leaves out steps as long as the scenario still breaks the same invariant. */
const shrink = async (scenario: Scenario, invariant: Invariant): Promise<Scenario> => {
  const keep = (isKept: readonly boolean[]) => ({
    ...scenario,
    steps: scenario.steps.filter((_, index) => isKept[index]),
  });
  const holds = async (isKept: readonly boolean[]) =>
    (await runScenario(keep(isKept))).violation?.invariant !== invariant;
  const choices = fc.tuple(...scenario.steps.map(() => fc.boolean()));
  const { counterexample } = await fc.check(fc.asyncProperty(choices, holds), {
    numRuns: 1,
    examples: [[scenario.steps.map(() => true)]],
  });
  return keep(counterexample?.[0] ?? []);
};

/** Runs one seed and prints its trace. If the seed fails, it first leaves out the steps that are not needed for that. */
const runOne = async (seed: number): Promise<boolean> => {
  let scenario = drawScenario(seed);
  let result = await runScenario(scenario);
  if (result.violation !== undefined) {
    const { length } = scenario.steps;
    scenario = await shrink(scenario, result.violation.invariant);
    print(`${scenario.steps.length} of ${length} steps are enough to break ${result.violation.invariant}.`);
    result = await runScenario(scenario);
  }
  const { trace, digest, violation } = result;
  print(JSON.stringify(scenario.settings));
  print(trace.join('\n'));
  print(`sha256 of the trace: ${digest}`);
  print(violation === undefined ? 'Every invariant holds.' : `FAILED: ${violation.message}`);
  return violation === undefined;
};

/** Runs seeds with a fault until one of them fails. */
const findFault = async (fault: Fault): Promise<boolean> => {
  for (let seed = 1; seed <= MAX_SEEDS; seed += 1) {
    const { violation } = await runScenario(drawScenario(seed), fault);
    if (violation !== undefined) {
      print(`| ${fault.text} | \`${violation.invariant}\` | ${seed} |`);
      return violation.invariant === fault.breaks;
    }
  }
  print(`NOT FOUND in ${MAX_SEEDS} seeds: ${fault.text}`);
  return false;
};

const runFaults = async (): Promise<boolean> => {
  let areFound = true;
  for (const fault of FAULTS) {
    areFound = (await findFault(fault)) && areFound;
  }
  return areFound;
};

const { seeds, from, seed, faults } = program
  .name('pnpm --dir test simulation')
  .description('Runs clients, a service and receivers through a hostile network: docs/proof/simulation.md.')
  .option('--seeds <n>', 'number of seeds to run', Number, 10_000)
  .option('--from <n>', 'the first of these seeds', Number, 1)
  .option('--seed <n>', 'run this seed alone, and print its trace', Number)
  .option('--faults', 'plant one fault after the other, and look for a seed that finds it')
  .parse()
  .opts<{ seeds: number; from: number; seed?: number; faults?: true }>();

const run = () => (seed === undefined ? runMany(from, seeds) : runOne(seed));
process.exitCode = (await (faults ? runFaults() : run())) ? 0 : 1;
