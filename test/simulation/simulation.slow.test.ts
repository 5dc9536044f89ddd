import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProcess } from '@confab/internal/test-support';
import { expect, test } from 'vitest';
import { FAULTS } from './faults.ts';

/** Runs the command in a process of its own, because it replaces the globals. */
const simulate = (...flags: string[]) => {
  const args = ['--conditions=@confab/source', join(import.meta.dirname, 'main.ts'), ...flags];
  return runProcess(process.execPath, args, { timeout: 300_000 });
};

test.each(['3', '11', '42'])(
  'two runs of seed %s have the same trace, byte for byte',
  { timeout: 60_000 },
  async (seed) => {
    const [one, other] = [await simulate('--seed', seed), await simulate('--seed', seed)];
    expect(one.lines.at(-2)).toContain('sha256 of the trace');
    expect(other).toEqual(one);
  },
);

test('each planted fault is found by the seed that docs/proof/simulation.md names', {
  timeout: 300_000,
}, async () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/proof/simulation.md'), 'utf8');
  const table = page.split('\n').filter((line) => /^\| .* \| `[a-z-]+` \| \d+ \|$/.test(line));
  const found = await simulate('--faults');
  expect(table).toHaveLength(FAULTS.length);
  expect(found).toEqual({ code: 0, lines: table, errors: '' });
});
