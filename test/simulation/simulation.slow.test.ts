import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { FAULTS } from './faults.ts';

/** Runs the command in a process of its own, because it replaces the globals. */
const simulate = async (...flags: string[]): Promise<string> => {
  const main = ['--conditions=@confab/source', join(import.meta.dirname, 'main.ts')];
  const { stdout } = await promisify(execFile)(process.execPath, [...main, ...flags], { maxBuffer: 2 ** 26 });
  return stdout;
};

test.each(['3', '11', '42'])(
  'two runs of seed %s have the same trace, byte for byte',
  { timeout: 60_000 },
  async (seed) => {
    const [one, other] = [await simulate('--seed', seed), await simulate('--seed', seed)];
    expect(one).toContain('sha256 of the trace');
    expect(other).toBe(one);
  },
);

test('each planted fault is found by the seed that docs/proof/simulation.md names', {
  timeout: 300_000,
}, async () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/proof/simulation.md'), 'utf8');
  const table = page.split('\n').filter((line) => /^\| .* \| `[a-z-]+` \| \d+ \|$/.test(line));
  const found = await simulate('--faults');
  expect(table).toHaveLength(FAULTS.length);
  expect(found.trim().split('\n')).toEqual(table);
});
