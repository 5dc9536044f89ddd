import * as fs from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { lockFile } from '../src/cli/lock-file.ts';
import { folder, refusalOf, serving } from './support/command.ts';

/** What the file system does in a test, before, after or in place of what it usually does. */
const system: { write?: (path: string) => void; written?: (path: string) => void; link?: () => void } = {};

vi.mock('node:fs', async (load) => {
  const real = await load<typeof fs>();
  const writeFileSync: typeof real.writeFileSync = (path, ...rest) => {
    system.write?.(String(path));
    real.writeFileSync(path, ...rest);
    if (String(path).endsWith('.lock')) {
      system.written?.(String(path));
    }
  };
  const linkSync: typeof real.linkSync = (...paths) => {
    system.link?.();
    real.linkSync(...paths);
  };
  return { ...real, writeFileSync, linkSync };
});

afterEach(() => {
  delete system.write;
  delete system.written;
  delete system.link;
});

const failure = (code: string) => Object.assign(new Error(`${code}: it fails`), { code });

const withoutLinks = () => {
  system.link = () => {
    throw failure('EPERM');
  };
};

const OWN = `${process.pid} ${hostname()}\n`;

test.each([
  ['', 'with links', () => {}],
  ['nonsense', 'with links', () => {}],
  ['', 'without links', withoutLinks],
])('a lock that says "%s" is taken over with a line that says so, %s', (text, _, prepare) => {
  prepare();
  const path = folder();
  const target = join(path, 'state.json');
  fs.writeFileSync(`${target}.lock`, text);
  const warn = vi.fn();
  const lock = lockFile('state.json', target, warn);
  expect(warn.mock.calls).toEqual([
    [`${target}.lock names no process, so it was left behind by a crash. It is replaced.`],
  ]);
  expect(fs.readFileSync(`${target}.lock`, 'utf8')).toBe(OWN);
  lock.release();
  expect(fs.readdirSync(path)).toEqual([]);
});

test('the command warns of a lock that names no process, and starts', async () => {
  const state = join(folder(), 'state.json');
  fs.writeFileSync(`${state}.lock`, '');
  const { warned, stop } = await serving('--state', state);
  expect(warned.join()).toContain(`${state}.lock names no process`);
  await stop();
});

test('a full disk leaves no lock, so the next start finds the file free', async () => {
  const path = folder();
  const state = join(path, 'state.json');
  for (const prepare of [() => {}, withoutLinks]) {
    prepare();
    system.write = (written) => {
      // Without links, the disk is full once the lock itself is written.
      if (system.link === undefined || written.endsWith('.lock')) {
        fs.closeSync(fs.openSync(written, 'wx'));
        throw failure('ENOSPC');
      }
    };
    expect(String(await refusalOf('--state', state))).toContain('ENOSPC');
    expect(fs.readdirSync(path)).toEqual([]);
  }
});

test('no process sees a lock without its text', () => {
  const target = join(folder(), 'state.json');
  system.write = (written) => expect(written).not.toBe(`${target}.lock`);
  lockFile('state.json', target).release();
});

test('without links, a lock that another process took over while it was empty is that of the other', () => {
  withoutLinks();
  const target = join(folder(), 'state.json');
  const other = `${process.ppid} ${hostname()}\n`;
  system.written = (file) => {
    delete system.written;
    expect(file).toBe(`${target}.lock`);
    fs.writeFileSync(file, other);
  };
  expect(() => lockFile('state.json', target)).toThrow(`pid ${process.ppid}`);
  expect(fs.readFileSync(`${target}.lock`, 'utf8')).toBe(other);
});
