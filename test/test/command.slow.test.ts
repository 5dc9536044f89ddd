import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { runProgram } from '@confab/internal/test-support';
import { expect, test } from 'vitest';
import { parseMutantsOptions } from '../../scripts/mutants/options.ts';

/** Runs a script of the repository as pnpm would, but without a condition. */
const run = (...args: string[]) =>
  runProgram(process.execPath, args, { cwd: join(import.meta.dirname, '../..') });

test('--help goes to the output, with code 0, whatever else is wrong', async () => {
  const { code, lines, errors } = await run('scripts/bench.ts', '--wirte', '--help');
  expect([code, errors]).toEqual([0, '']);
  expect(lines[0]).toBe('pnpm bench: compares the packages with their peers');
});

test('a misspelled flag is one line of the errors, with code 2', async () => {
  const { code, lines, errors } = await run('scripts/bench.ts', '--wirte');
  expect([code, lines]).toEqual([2, ['']]);
  expect(errors).toBe('bench: Unknown flag --wirte. Did you mean --write? See --help.\n');
});

test('a command whose output is closed ends without a word', async () => {
  const child = spawn(
    process.execPath,
    ['--conditions=@confab/source', 'proof/simulation/main.ts', '--seed', '42'],
    { cwd: join(import.meta.dirname, '../..'), stdio: ['ignore', 'pipe', 'pipe'] },
  );
  child.stdout.destroy();
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  expect([code, errors]).toEqual([0, '']);
});

test('--since must be a commit', () => {
  expect(parseMutantsOptions(['--since', 'HEAD'])).toMatchObject({ onlyChanged: true, since: 'HEAD' });
  expect(() => parseMutantsOptions(['--since', 'no-such-branch'])).toThrow(
    '--since must be a commit of this repository, got "no-such-branch".',
  );
});
