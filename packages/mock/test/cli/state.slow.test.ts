import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '@confab/internal/cli';
import { eventually } from '@confab/internal/test-support';
import { expect, test } from 'vitest';
import {
  create,
  folder,
  leadsIn,
  refusalOf,
  run,
  startInProcess,
  startQuietCommand,
} from '../support/command.ts';

test('a second server with the same state file is refused, and the message has the pid of the first', async () => {
  const state = join(folder(), 'state.json');
  const first = await startQuietCommand('--state', state);
  const second = await run('--port', '0', '--state', state).ended;
  expect([second.code, second.output]).toEqual([2, '']);
  expect(second.errors).toMatch(/^confab-mock: [^\n]+\n$/);
  expect(second.errors).toContain(`${state} is in use by the confab-mock with pid ${first.child.pid}`);
  expect(second.errors).toContain(`${state}.lock`);
  await first.stop();
  expect(readdirSync(join(state, '..'))).toEqual(['state.json']);
  await (await startQuietCommand('--state', state)).stop();
});

test('a start that fails leaves no lock behind', async () => {
  const path = folder();
  const state = join(path, 'state.json');
  const other = await startInProcess();
  for (const flags of [
    ['--port', new URL(other.url).port],
    ['--data', 'none.json'],
    ['--fault', 'leads.lst:500'],
  ]) {
    expect(await refusalOf('--state', state, ...flags)).toBeInstanceOf(UsageError);
  }
  writeFileSync(state, 'no JSON');
  expect(await refusalOf('--state', state)).toBeInstanceOf(UsageError);
  expect(readdirSync(path)).toEqual(['state.json']);
});

// In a container, the first process has the same pid in each run.
test('a lock that an earlier process with the same pid left behind is taken over', async () => {
  const state = join(folder(), 'state.json');
  writeFileSync(`${state}.lock`, `${process.pid}\n`);
  await (await startInProcess('--state', state)).stop();
  expect(existsSync(`${state}.lock`)).toBe(false);
});

test('--state takes over an empty lock, which a full disk leaves, but no lock with unknown content', async () => {
  const state = join(folder(), 'state.json');
  writeFileSync(`${state}.lock`, '');
  await (await startInProcess('--state', state)).stop();
  for (const [ending, text, says] of [
    ['.lock', 'other', 'is in use by the confab-mock with pid other'],
    ['.lock.new', '', 'Another confab-mock is starting'],
  ] as const) {
    const path = `${state}${ending}`;
    writeFileSync(path, text);
    const refusal = String(await refusalOf('--state', state));
    expect(refusal).toContain(says);
    expect(refusal).toContain(`delete ${path}`);
    expect(existsSync(path)).toBe(true);
    rmSync(path);
  }
});

test('a failed save of the state is reported once and retried', async () => {
  const path = folder();
  const kept = join(path, 'kept');
  mkdirSync(kept);
  const state = join(kept, 'state.json');
  const { call, stop, complained } = await startQuietCommand('--state', state, '--data', 'minimal');
  renameSync(kept, join(path, 'moved'));
  await call('/api/v2/public/leads', create('+5511987654321'));
  await complained(/^confab-mock: Cannot write .*: .* This will be retried\.\n$/);
  renameSync(join(path, 'moved'), kept);
  await eventually(() => expect(existsSync(state)).toBe(true));
  expect(leadsIn(state)).toMatchObject([{ phone: '+5511987654321' }]);
  const { code, errors } = await stop();
  expect([code, errors.match(/\n/g)?.length]).toEqual([0, 1]);
});

test('a kill during a save leaves a complete state file, and the next run loads it despite the lock', async () => {
  const path = folder();
  const [state, rows] = [join(path, 'state.json'), join(path, 'rows.json')];
  const leads = Array.from({ length: 4_000 }, (_, index) => ({ displayName: `${index}` }));
  writeFileSync(rows, JSON.stringify({ leads }));
  let least = leads.length;
  for (let nth = 0; nth < 3; nth += 1) {
    const flags = ['--state', state, '--data', rows, '--rate-limit', '100000'];
    const { child, call, ended } = await startQuietCommand(...flags);
    let calling = true;
    const calls = (async () => {
      for (let made = 0; calling; made += 1) {
        await call('/api/v2/public/leads', create(`+5511${nth}${String(80_000_000 + made)}`)).catch(() => {});
      }
    })();
    // Killed about when a save begins.
    while (!existsSync(`${state}.partial`)) {
      await new Promise(setImmediate);
    }
    child.kill('SIGKILL');
    calling = false;
    await Promise.all([ended, calls]);
    if (existsSync(state)) {
      const { length } = leadsIn(state);
      expect(length).toBeGreaterThanOrEqual(least);
      least = length;
    }
  }
  const last = await startInProcess('--state', state, '--data', rows);
  await last.stop();
  expect(readdirSync(path).toSorted()).toEqual(['rows.json', 'state.json']);
});
