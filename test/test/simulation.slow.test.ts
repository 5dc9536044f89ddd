import { execFile } from 'node:child_process';
import { join } from 'node:path';

import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { mutants } from '../simulation/mutants/table.ts';

const SIMULATION = join(import.meta.dirname, '..', 'simulation');

/** Runs Node in a process of its own, because a simulation replaces the globals. */
const runNode = async (...given: string[]): Promise<string> => {
  const all = ['--conditions=@confab/source', ...given];
  const { stdout } = await promisify(execFile)(process.execPath, all, { maxBuffer: 2 ** 26 });
  return stdout;
};

const simulate = (...flags: string[]): Promise<string> => runNode(join(SIMULATION, 'main.ts'), ...flags);

/** Imports the function that runs seeds, in a process of its own. */
const runEval = (code: string): Promise<string> =>
  runNode('--eval', `import('${pathToFileURL(join(SIMULATION, 'run-seeds.ts')).href}').then(${code})`);

/** Runs one seed of a world whose mock closes in another way, and returns the error. */
const runClosing = (close: string): Promise<string> => {
  const closing = {
    file: 'packages/mock/src/create-mock.ts',
    from: 'closed ??= closeWorld(world);',
    to: `closed ??= ${close};`,
  };
  const mutant = { name: 'close', fault: '', fixedBy: undefined, replacements: [closing] };
  const options = { from: 7, count: 1, threads: 2, mutant };
  return runEval(`({ runSeeds }) => runSeeds(${JSON.stringify(options)}))
    .catch((error) => console.log(String(error), String(error.cause))`);
};

test('every invariant holds in 200 seeds', { timeout: 300_000 }, async () => {
  expect(await simulate('--seeds', '200')).toMatch(/^200 seeds, .*: every invariant holds$/m);
});

test('the same seed gives the same trace, byte for byte', { timeout: 120_000 }, async () => {
  for (const seed of ['3', '11', '42']) {
    const [one, other] = [await simulate('--seed', seed), await simulate('--seed', seed)];
    expect(one).toContain('sha256 of the trace');
    expect(other).toBe(one);
  }
});

test('a seed that fails is reported before its scenario is shrunk', { timeout: 60_000 }, async () => {
  const mutant = mutants.find(({ name }) => name === 'writes-repeated');
  const options = JSON.stringify({ from: 1, count: 100, threads: 1, mutant });
  const output = await runEval(`({ runSeeds }) => runSeeds({
    ...${options},
    onFailing: ({ seed, violation }) => console.log('failing', seed, violation.invariant),
    onProgress: ({ failed, failures }) => console.log(failed, 'failed,', failures.length, 'shrunk'),
  })`);
  const seen = output.trim().split('\n');
  const at = seen.findIndex((line) => line.startsWith('failing'));
  expect(seen.slice(at)).toEqual([
    expect.stringMatching(/^failing \d+ write-once$/),
    '1 failed, 0 shrunk',
    '1 failed, 1 shrunk',
  ]);
});

test.each([
  {
    close: 'new Promise(() => {})',
    error: 'Error: A thread ended in seed 7, with exit code 13. undefined',
  },
  {
    close: "Promise.reject(new Error('It stays open'))",
    error: 'Error: A thread ended in seed 7, with exit code 1. Error: It stays open',
  },
  { close: 'process.exit(0)', error: 'Error: Only 0 of 1 seeds ran. undefined' },
])('a thread that ends too early fails the run: $close', { timeout: 60_000 }, async ({ close, error }) => {
  expect((await runClosing(close)).trim()).toBe(error);
});
