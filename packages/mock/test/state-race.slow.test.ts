import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '@confab/internal/cli';
import { expect, test, vi } from 'vitest';
import { openStateFile } from '../src/cli/state-file.ts';
import { folder } from './support/command.ts';

/** Told of each file that was removed, before whoever removed it does anything else. */
let onRemove = (_path: string): void => {};

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  return {
    ...fs,
    rmSync: (path: string, options: object) => {
      fs.rmSync(path, options);
      onRemove(path);
    },
  };
});

test('a link created at the path of the partial file just before the write is not written through', () => {
  const path = folder();
  const [state, other] = [join(path, 'state.json'), join(path, 'other.txt')];
  writeFileSync(other, 'mine');
  onRemove = (removed) => {
    if (removed === `${state}.partial`) {
      symlinkSync(other, removed);
    }
  };
  expect(() => openStateFile(state)).toThrow(UsageError);
  expect(readFileSync(other, 'utf8')).toBe('mine');

  onRemove = () => {};
  const file = openStateFile(state);
  file.save({});
  onRemove = (removed) => {
    if (removed === `${state}.partial`) {
      symlinkSync(other, removed);
    }
  };
  expect(() => file.save({ leads: [] })).toThrow(/EEXIST/);
  onRemove = () => {};
  file.lock.release();
  expect([readFileSync(other, 'utf8'), readFileSync(state, 'utf8')]).toEqual(['mine', '{}\n']);
});
