import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Target } from './kit.ts';
import { assert, fc } from './kit.ts';

const FOLDER = join(import.meta.dirname, 'targets');

export const targetNames: readonly string[] = readdirSync(FOLDER)
  .map((file) => basename(file, '.ts'))
  .toSorted();

export const loadTarget = async (name: string): Promise<Target<unknown>> =>
  (await import(join(FOLDER, `${name}.ts`))).target;

/** Milliseconds after which an input counts as one that keeps its parser busy. */
const SLOW_MS = 400;

/** Milliseconds after which a promise counts as one that never settles. */
const NEVER_MS = 5_000;

/** Milliseconds for one seed, shrinking included: an input that never settles shrinks slowly. */
const MOST_MS = 60_000;

const checkInTime = async <Input>({ check }: Target<Input>, input: Input): Promise<void> => {
  // A busy machine is slow once, a regular expression that backtracks always.
  for (let time = 0; time < 4; time += 1) {
    const startedAt = performance.now();
    await check(input);
    if (performance.now() - startedAt <= SLOW_MS) {
      return;
    }
  }
  assert.fail(`takes more than ${SLOW_MS} ms, every time`);
};

/** Tries the examples of a target, then inputs that the seed determines. */
export const run = <Input>(
  target: Target<Input>,
  options: { readonly seed: number; readonly runs: number; readonly path?: string | undefined },
): Promise<fc.RunDetails<[Input]>> =>
  fc.check(
    fc.asyncProperty(target.inputs, (input) => checkInTime(target, input)),
    {
      seed: options.seed,
      path: options.path ?? '',
      numRuns: options.runs,
      examples: target.examples.map((example): [Input] => [example]),
      timeout: NEVER_MS,
      interruptAfterTimeLimit: MOST_MS,
    },
  );
