import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { define } from './kit.ts';
import { loadTarget, run, targetNames } from './run.ts';

/** Inputs for each target: enough to see that it still runs. `pnpm test:fuzz` looks for more. */
const RUNS = 200;

test.each(targetNames)('%s keeps its properties', async (name) => {
  const { seed = Date.now() % 1_000_000 } = fc.readConfigureGlobal();
  const result = await run(await loadTarget(name), { seed, runs: RUNS });
  expect(fc.defaultReportMessage(result) ?? '').toBe('');
});

test('a path repeats one input, which shrank as long as it failed', async () => {
  const small = define(fc.nat(), (input) => expect(input).toBeLessThan(1_000));
  const { counterexample, counterexamplePath } = await run(small, { seed: 7, runs: 1_000 });
  expect(counterexample).toEqual([1_000]);
  const again = await run(small, { seed: 7, runs: 1_000, path: `${counterexamplePath}` });
  expect(again).toMatchObject({ failed: true, counterexample: [1_000] });
});

test('inputs that take too long every time fail, and so do those that never end', async () => {
  const busy = define(fc.constant(0), () => {
    const end = performance.now() + 401;
    while (performance.now() < end) {
      // Busy.
    }
  });
  expect(await run(busy, { seed: 7, runs: 1 })).toMatchObject({
    errorInstance: { message: 'takes more than 400 ms, every time' },
  });
  const never = define(fc.constant(0), () => new Promise(() => {}));
  expect(String((await run(never, { seed: 7, runs: 1 })).errorInstance)).toContain('timeout');
});

test('the command runs one target with the flags, and refuses a target that does not exist', async () => {
  const command = (...args: string[]) =>
    promisify(execFile)(process.execPath, [
      '--conditions=@confab/source',
      join(import.meta.dirname, 'main.ts'),
      ...args,
    ]);
  const { stdout } = await command('client-base-url', '--seconds', '0', '--seed', '7');
  expect(stdout).toMatch(/^client-base-url: 500 inputs in [\d.]+ s\nseed 7\n$/);
  await expect(command('client')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('client-base-url'),
  });
});
