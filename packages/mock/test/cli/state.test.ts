import { chmodSync, existsSync, lstatSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { UsageError } from '@confab/internal/cli';
import { expect, test } from 'vitest';
import { create, folder, leadsIn, refusalOf, startInProcess } from '../support/command.ts';

const PHONE = '+5511987654321';

/** Runs the command once with a state file, makes a lead, and returns the banner. */
const runOnce = async (state: string, phone = PHONE, status = 201) => {
  const { banner, call, stop } = await startInProcess('--state', state, '--data', 'minimal');
  expect((await call('/api/v2/public/leads', create(phone))).status).toBe(status);
  await stop();
  return banner;
};

test('--state keeps the rows from one run to the next, and the banner tells a new file from a loaded one', async () => {
  const state = join(folder(), 'state.json');
  expect(await runOnce(state)).toContain(`  State     ${state} (new file, starts with minimal data)\n`);
  expect(leadsIn(state)).toHaveLength(1);
  expect(await runOnce(state, PHONE, 409)).toContain(`  State     ${state} (loaded)\n`);
  await runOnce(state, '+5511987654322');
  expect(leadsIn(state)).toHaveLength(2);
});

test('a link to a state file stays a link, and shares the lock of the file', async () => {
  const path = folder();
  const [state, link] = [join(path, 'kept.json'), join(path, 'link.json')];
  writeFileSync(state, '{}');
  symlinkSync('kept.json', link);
  await runOnce(link);
  expect([lstatSync(link).isSymbolicLink(), leadsIn(state).length]).toEqual([true, 1]);
  const { stop } = await startInProcess('--state', link);
  expect(existsSync(`${state}.lock`)).toBe(true);
  await stop();
});

test('the state file keeps its mode, even after an interrupted save', async () => {
  const state = join(folder(), 'state.json');
  await runOnce(state);
  for (const mode of [0o600, 0o666]) {
    chmodSync(state, mode);
    writeFileSync(`${state}.partial`, 'half of a', { mode: 0o644 });
    const { stop } = await startInProcess('--state', state);
    await stop();
    expect(statSync(state).mode & 0o777).toBe(mode);
  }
});

test.each([
  ['nowhere/state.json', 'nowhere does not exist'],
  ['file/state.json', 'ENOTDIR'],
  ['.', 'must be a regular file'],
  ['loop.json', 'ELOOP'],
  ['file', 'JSON'],
  ['list.json', 'arrays of rows'],
  ['faults.json', 'data.faults[0]: `fault` must be an object'],
])('--state refuses the file %s before the server starts', async (state, says) => {
  const path = folder();
  writeFileSync(join(path, 'file'), '');
  writeFileSync(join(path, 'list.json'), '[]');
  writeFileSync(join(path, 'faults.json'), '{"faults":[{"operation":"agents.list"}]}');
  symlinkSync('loop.json', join(path, 'loop.json'));
  const { message } = (await refusalOf('--state', join(path, state))) as UsageError;
  expect(message).toContain(says);
  expect(message).toContain(join(path, state));
  expect(readdirSync(path).toSorted()).toEqual(['faults.json', 'file', 'list.json', 'loop.json']);
});

test('--data is checked even if a state file replaces its rows', async () => {
  const state = join(folder(), 'state.json');
  await runOnce(state);
  expect(String(await refusalOf('--state', state, '--data', 'none.json'))).toContain('none.json');
});
