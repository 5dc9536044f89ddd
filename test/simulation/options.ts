import { availableParallelism } from 'node:os';
import { UsageError } from '@confab/internal/cli';
import { defineCommand, parseCommand } from '../../scripts/command/command.ts';
import { oneOf, text, toggle, whole } from '../../scripts/command/flag.ts';
import { keepSteps, NO_STEPS } from './failure.ts';
import type { Mutant } from './mutants/mutant.ts';
import { mutants } from './mutants/table.ts';
import { drawScenario } from './scenario/draw-scenario.ts';
import type { Scenario } from './scenario/scenario.ts';

/** What to run: one scenario, many seeds, or old faults. */
export type SimulationOptions =
  | { readonly kind: 'scenario'; readonly scenario: Scenario }
  | {
      readonly kind: 'seeds';
      readonly from: number;
      readonly count: number;
      readonly threads: number;
      readonly write: boolean;
    }
  | {
      readonly kind: 'mutants';
      readonly chosen: readonly Mutant[];
      readonly threads: number;
      readonly write: boolean;
    };

/** The flags and the help of the command. */
export const SIMULATION = defineCommand({
  name: 'test:simulation',
  summary: 'runs clients, a service and receivers through a hostile network',
  description:
    'Each seed draws a scenario, runs it in virtual time, and checks the invariants. For a seed that breaks one, the command prints the shortest scenario that still breaks it, and how to repeat it. docs/proof/simulation.md describes the invariants and the faults.',
  flags: {
    seeds: whole({
      placeholder: 'N',
      description: 'Number of seeds to run.',
      least: 1,
      most: 1_000_000_000,
      fallback: 10_000,
    }),
    from: whole({
      placeholder: 'SEED',
      description: 'The first of these seeds.',
      least: 0,
      most: 1_000_000_000_000,
      fallback: 1,
    }),
    threads: whole({
      placeholder: 'N',
      description: 'Threads that run seeds at the same time.',
      least: 1,
      most: 256,
      fallback: Math.min(2, availableParallelism()),
    }),
    seed: whole({
      placeholder: 'SEED',
      description: 'Runs this seed alone, and prints its trace.',
      least: 0,
      most: Number.MAX_SAFE_INTEGER,
    }),
    keep: text({
      placeholder: 'STEPS',
      description:
        'Leaves out all steps of the scenario but these, separated by commas. With `none`, leaves out all of them.',
    }),
    mutants: toggle(
      'Puts known faults into the code, one after another, and looks for seeds that find them.',
    ),
    only: oneOf({
      placeholder: 'FAULT',
      description: 'Looks for this fault alone.',
      words: mutants.map(({ name }) => name),
    }),
    write: toggle('Writes the figures into docs/proof/simulation.md.'),
  },
  excludes: [
    {
      flags: ['seed'],
      with: ['seeds', 'from', 'threads', 'mutants', 'write'],
      because: '--seed runs one seed to show its trace',
    },
    {
      flags: ['mutants'],
      with: ['seeds', 'from'],
      because: '--mutants starts at seed 1, and ends at the first seed that finds the fault',
    },
    { flags: ['only'], with: ['write'], because: 'the page lists all faults' },
  ],
  requires: [
    { flag: 'keep', needs: 'seed' },
    { flag: 'only', needs: 'mutants' },
  ],
  fails: 'A seed breaks an invariant, or no seed finds a fault.',
  examples: [
    'pnpm test:simulation --seeds 500 --from 20000',
    'pnpm test:simulation --seed 42 --keep 3,7,9',
    `pnpm test:simulation --mutants --only ${mutants[0]?.name}`,
  ],
});

/** Some failures need no step, so there is a word that keeps none. */
const kept = (scenario: Scenario, steps: string): Scenario => {
  const known = scenario.steps.map(({ id }) => String(id));
  const ids = steps === NO_STEPS ? [] : steps.split(',');
  if (!ids.every((id) => known.includes(id))) {
    throw new UsageError(
      `--keep must be steps of seed ${scenario.seed} (from ${known[0]} to ${known.at(-1)}), separated by commas, or ${NO_STEPS}, got ${JSON.stringify(steps)}.`,
    );
  }
  return keepSteps(scenario, ids.map(Number));
};

/**
 * Reads the flags.
 *
 * @throws {@link UsageError} When one is unknown, its value invalid, or flags contradict each other.
 */
export const parseSimulationOptions = (args: readonly string[]): SimulationOptions => {
  const {
    seed,
    keep,
    mutants: all,
    only,
    seeds,
    from,
    threads,
    write,
  } = parseCommand(SIMULATION, args).values;
  if (seed !== undefined) {
    const scenario = drawScenario(seed);
    return { kind: 'scenario', scenario: keep === undefined ? scenario : kept(scenario, keep) };
  }
  if (all) {
    const chosen = mutants.filter(({ name }) => only === undefined || name === only);
    return { kind: 'mutants', chosen, threads, write };
  }
  return { kind: 'seeds', from, count: seeds, threads, write };
};
