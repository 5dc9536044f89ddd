import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const MAIN = join(import.meta.dirname, '..', 'simulation', 'main.ts');

/** Runs the command in a process of its own, whose globals it replaces. */
const simulate = async (...flags: string[]): Promise<string> => {
  const given = ['--conditions=@confab/source', MAIN, ...flags];
  const { stdout } = await promisify(execFile)(process.execPath, given, { maxBuffer: 2 ** 26 });
  return stdout;
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
