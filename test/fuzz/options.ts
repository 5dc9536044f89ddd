import { readFileSync } from 'node:fs';
import { UsageError } from '@confab/internal/cli';
import { defineCommand, parseCommand } from '../../scripts/command/command.ts';
import { text, toggle, whole } from '../../scripts/command/flag.ts';
import { checkFigures } from './figures.ts';
import { corpusFiles } from './store.ts';
import { targets } from './targets/index.ts';

/** Seconds for each target, unless the flags limit the inputs or the seconds. */
const SECONDS = 5;

/** Which targets to fuzz, and how. */
export interface FuzzPlan {
  /** Names of targets. */
  readonly names: readonly string[];
  /** Inputs for each target, at most. */
  readonly runs: number;
  /** Seconds for each target, at most. */
  readonly seconds: number;
  readonly seed: number;
  /** The only input to run. */
  readonly input: Uint8Array | undefined;
  /** Whether the figures replace those in docs/proof. */
  readonly write: boolean;
}

/** The flags and the help of the command. */
export const FUZZ = defineCommand({
  name: 'test:fuzz',
  summary: 'runs parsers on random inputs, guided by coverage',
  description:
    'Changes the inputs of a corpus at random, and keeps those that run code that no earlier input ran. An input that breaks a property of its target is shortened and kept in proof/fuzz/findings. docs/proof/fuzzing.md describes the targets.',
  args: { kind: 'target', known: [...targets.keys()] },
  flags: {
    runs: whole({
      placeholder: 'N',
      description: 'Inputs for each target.',
      least: 1,
      most: 1_000_000_000,
    }),
    seconds: whole({
      placeholder: 'SECONDS',
      description: `Seconds for each target. Default ${SECONDS}, or no limit with --runs. With both flags, a target ends at the limit that it reaches first.`,
      least: 1,
      most: 604_800,
    }),
    seed: whole({
      placeholder: 'N',
      description:
        'Draws the same inputs as the run that printed this seed. By default, each run has another one.',
      least: 0,
      most: 2 ** 32 - 1,
    }),
    input: text({ placeholder: 'FILE', description: 'Runs the input in this file, on one target.' }),
    write: toggle('Writes the figures into docs/proof/fuzzing.md.'),
  },
  excludes: [
    {
      flags: ['input'],
      with: ['runs', 'seconds', 'seed', 'write'],
      because: '--input runs one input as it is',
    },
  ],
  fails: 'An input breaks a property, or too much memory stays in use.',
  examples: [
    'pnpm test:fuzz webhooks-body --seconds 60',
    'pnpm test:fuzz client-flags mock-flags --runs 100000 --seed 7',
    'pnpm test:fuzz webhooks-flags --input proof/fuzz/findings/webhooks-flags/553af4e576e8.txt',
  ],
});

const read = (file: string): Uint8Array => {
  try {
    return readFileSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(`--input must be a file that can be read, got ${JSON.stringify(file)} (${code}).`);
  }
};

/** What a run reads before it starts. */
interface Needs {
  readonly corpusFiles: (target: string) => readonly string[];
  readonly checkFigures: () => void;
}

/**
 * Reads the flags and the names of targets.
 *
 * @throws {@link UsageError} When one is unknown or its value invalid, a target has no corpus, or the figures can't be
 * replaced.
 */
export const parseFuzzPlan = (
  args: readonly string[],
  needs: Needs = { corpusFiles, checkFigures },
): FuzzPlan => {
  const { values, args: names } = parseCommand(FUZZ, args);
  const { runs, seconds, seed, input, write } = values;
  if (input !== undefined && names.length !== 1) {
    throw new UsageError(
      `--input needs one target, such as pnpm test:fuzz ${FUZZ.args?.known[0]} --input FILE.`,
    );
  }
  const empty = input === undefined && names.find((name) => needs.corpusFiles(name).length === 0);
  if (empty) {
    throw new UsageError(
      `There are no inputs in proof/fuzz/corpus/${empty}. Restore them with git, or add files that end in .txt, as docs/proof/fuzzing.md describes.`,
    );
  }
  if (write) {
    // A mistake in these files must not cost the figures of a long run.
    needs.checkFigures();
  }
  return {
    names,
    runs: runs ?? Number.POSITIVE_INFINITY,
    seconds: seconds ?? (runs === undefined ? SECONDS : Number.POSITIVE_INFINITY),
    seed: seed ?? Date.now() % 1_000_000,
    input: input === undefined ? undefined : read(input),
    write,
  };
};
