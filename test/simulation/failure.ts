import type { RunScenario } from './load.ts';
import type { Scenario } from './scenario/scenario.ts';
import { shrink } from './shrink.ts';
import type { Violation } from './sim.ts';

/** A seed that fails, and how. */
export interface FailingSeed {
  readonly seed: number;
  readonly violation: Violation;
}

/** A failing seed with the fewest events. */
export interface Failure extends FailingSeed {
  /** The ids of the steps that are left, and how many there were. */
  readonly kept: readonly number[];
  readonly of: number;
  readonly trace: readonly string[];
}

/** A scenario with only some of its steps. */
export const keepSteps = (scenario: Scenario, ids: readonly number[]): Scenario => ({
  ...scenario,
  steps: scenario.steps.filter(({ id }) => ids.includes(id)),
});

/** Removes every step of a failing scenario without which it still breaks the same invariant. */
export const shrinkFailure = async (
  run: RunScenario,
  scenario: Scenario,
  { invariant }: Violation,
): Promise<Failure> => {
  const ids = scenario.steps.map(({ id }) => id);
  const breaks = async (kept: readonly number[]) =>
    (await run(keepSteps(scenario, kept))).violation?.invariant === invariant;
  const kept = await shrink(ids, breaks);
  const { violation, trace } = await run(keepSteps(scenario, kept));
  return {
    seed: scenario.seed,
    violation: violation ?? {
      invariant,
      message: 'It fails only now and then: the run is not deterministic.',
    },
    kept,
    of: ids.length,
    trace,
  };
};

/** The word that `--keep` takes in place of steps, to run none of them. */
export const NO_STEPS = 'none';

/** Lines of a trace to print. */
const LAST_LINES = 60;

/** The command that repeats a seed, or some of its steps. */
const repeating = (seed: number, kept?: readonly number[]): string => {
  const flags = kept === undefined ? '' : ` --keep ${kept.length === 0 ? NO_STEPS : kept.join(',')}`;
  return `pnpm test:simulation --seed ${seed}${flags}`;
};

/** Names a seed that fails, in one line. */
export const failingText = ({ seed, violation }: FailingSeed): string =>
  `Seed ${seed} breaks the invariant ${violation.invariant}. Repeat it: ${repeating(seed)}`;

/** Describes a failure, with the command that repeats it. */
export const failureText = ({ seed, violation, kept, of, trace }: Failure): string =>
  [
    `Seed ${seed} breaks the invariant ${violation.invariant}: ${violation.message}`,
    kept.length === 0
      ? 'It needs no step. Repeat it:'
      : `${kept.length} of ${of} steps are enough. Repeat it:`,
    `  ${repeating(seed, kept)}`,
    ...(trace.length > LAST_LINES ? [`  … ${trace.length - LAST_LINES} earlier lines`] : []),
    ...trace.slice(-LAST_LINES).map((line) => `  ${line}`),
  ].join('\n');
