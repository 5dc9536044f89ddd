import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '@confab/internal/cli';
import { eventually } from '@confab/internal/test-support';
import { expect, onTestFinished, test, vi } from 'vitest';
import { keepState } from '../src/cli/keep-state.ts';
import { lockFile } from '../src/cli/lock-file.ts';
import { createMock } from '../src/index.ts';
import { folder, refusalOf, run, running, serving } from './support/command.ts';

const create = (phone: string) => ({ method: 'POST', body: JSON.stringify({ phone }) });

const phonesIn = (path: string): string[] =>
  JSON.parse(readFileSync(path, 'utf8')).leads.map(({ phone }: { phone: string }) => phone);

/** The pid of a process that has ended. */
const deadPid = async (): Promise<number> => {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  return child.pid ?? 0;
};

test('of two servers on one state file the second is refused, with the pid of the first', async () => {
  const state = join(folder(), 'state.json');
  const first = await running('--state', state);
  const second = await run('--port', '0', '--state', state).ended;
  expect([second.code, second.output]).toEqual([2, '']);
  expect(second.errors).toMatch(/^confab-mock: [^\n]+\n$/);
  expect(second.errors).toContain(`${state} is in use by the confab-mock with pid ${first.child.pid}`);
  expect(second.errors).toContain(`${state}.lock`);
  await first.stop();
  expect(readdirSync(join(state, '..'))).toEqual(['state.json']);
  await (await running('--state', state)).stop();
});

test('two servers in one process have separate locks, too', async () => {
  const state = join(folder(), 'state.json');
  const first = await serving('--state', state);
  const error = await refusalOf('--state', state);
  expect(error).toBeInstanceOf(UsageError);
  expect(String(error)).toContain(`pid ${process.pid}`);
  await first.stop();
  expect(await refusalOf('--state', state)).toBeUndefined();
});

test('a start that fails leaves no lock behind', async () => {
  const path = folder();
  const state = join(path, 'state.json');
  const other = await serving();
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

test('a lock that its process left behind is taken over', async () => {
  const path = folder();
  const target = join(path, 'state.json');
  const stale = [`${await deadPid()} ${hostname()}\n`, `${process.pid} ${hostname()}\n`];
  for (const text of stale) {
    writeFileSync(`${target}.lock`, text);
    const lock = lockFile('state.json', target);
    expect(readFileSync(`${target}.lock`, 'utf8')).toBe(`${process.pid} ${hostname()}\n`);
    lock.release();
    expect(readdirSync(path)).toEqual([]);
  }
});

test('a lock of another machine counts as abandoned once it is not refreshed', () => {
  const target = join(folder(), 'state.json');
  writeFileSync(`${target}.lock`, '1 another-machine\n');
  expect(() => lockFile('state.json', target)).toThrow(
    /in use by the confab-mock with pid 1 on another-machine\. /,
  );
  const longAgo = new Date(Date.now() - 11_000);
  utimesSync(`${target}.lock`, longAgo, longAgo);
  lockFile('state.json', target).release();
  expect(existsSync(`${target}.lock`)).toBe(false);
});

test('a lock is refreshed, and no lock of somebody else is released', () => {
  const target = join(folder(), 'state.json');
  const lock = lockFile('state.json', target);
  const file = `${target}.lock`;
  utimesSync(file, new Date(0), new Date(0));
  lock.refresh();
  writeFileSync(`${file}.new`, '1 another-machine\n');
  renameSync(`${file}.new`, file);
  lock.release();
  expect(() => lockFile('state.json', target)).toThrow(/another-machine/);
  rmSync(file);
  lock.refresh();
  lock.release();
});

test('the lock of a link is that of the file it leads to', async () => {
  const path = folder();
  const state = join(path, 'state.json');
  const first = await serving('--state', state);
  symlinkSync('state.json', join(path, 'link.json'));
  await first.stop();
  const again = await serving('--state', join(path, 'link.json'));
  expect(await refusalOf('--state', state)).toBeInstanceOf(UsageError);
  await again.stop();
});

test('a failed save is reported once, and repeated', async () => {
  const path = folder();
  const kept = join(path, 'kept');
  mkdirSync(kept);
  const state = join(kept, 'state.json');
  const { child, call, stop } = await running('--state', state, '--data', 'minimal');
  let errors = '';
  child.stderr?.on('data', (chunk) => {
    errors += chunk;
  });
  renameSync(kept, join(path, 'moved'));
  await call('/api/v2/public/leads', create('+5511987654321'));
  await eventually(() =>
    expect(errors).toMatch(
      /^confab-mock: Can't write .*, so the state is not saved: .* This will be retried\.\n$/,
    ),
  );
  renameSync(join(path, 'moved'), kept);
  await eventually(() => expect(existsSync(state)).toBe(true));
  expect(phonesIn(state)).toEqual(['+5511987654321']);
  expect(errors.match(/\n/g)).toHaveLength(1);
  expect((await stop()).code).toBe(0);
});

test('a state is saved within a quarter of a second of its change, and not again until the next one', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const mock = createMock();
  const [save, refresh, release] = [vi.fn(), vi.fn(), vi.fn()];
  const keeper = keepState(mock, { rows: undefined, lock: { refresh, release }, save }, () => {});
  await vi.advanceTimersByTimeAsync(1_000);
  expect([save.mock.calls.length, refresh.mock.calls.length]).toEqual([0, 4]);
  const lead = mock.leads.create({});
  await vi.advanceTimersByTimeAsync(250);
  expect(save.mock.calls).toEqual([[expect.objectContaining({ leads: [lead] })]]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(save).toHaveBeenCalledTimes(1);
  mock.leads.delete(lead.id);
  await vi.advanceTimersByTimeAsync(250);
  expect(save).toHaveBeenCalledTimes(2);
  keeper.end();
  expect([save.mock.calls.length, release.mock.calls.length]).toEqual([3, 1]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(save).toHaveBeenCalledTimes(3);
});
