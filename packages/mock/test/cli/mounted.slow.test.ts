import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { openSavedFile } from '../../src/cli/saved-file.ts';
import { create, leadsIn, startInProcess, writeTempFile } from '../support/command.ts';

const failed = (code: string) => Object.assign(new Error(`${code}: it is mounted`), { code });

// What Linux does with a file that is a mount point, as with `docker -v ./rows.json:/rows.json`.
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  return {
    ...fs,
    linkSync: () => {
      throw failed('EXDEV');
    },
    renameSync: () => {
      throw failed('EBUSY');
    },
  };
});

test('a state file that is mounted by itself is saved in place', async () => {
  const state = writeTempFile('rows.json', '{}');
  const { ino } = statSync(state);
  const { call, stop, warned } = await startInProcess('--state', state);
  expect((await call('/api/v2/public/leads', create('+5511987654321'))).status).toBe(201);
  await stop();
  expect([leadsIn(state).length, statSync(state).ino, warned]).toEqual([1, ino, []]);
});

test('a recording file that is mounted by itself is saved in place', () => {
  const path = writeTempFile('recording.json', '');
  const end = openSavedFile(path, 0o600).keep(
    { version: () => [], text: () => 'recorded' },
    expect.unreachable,
  );
  writeFileSync(path, 'a longer text than what is recorded');
  end();
  expect(readFileSync(path, 'utf8')).toBe('recorded');
});
