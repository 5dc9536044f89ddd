import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { create, leadsIn, startInProcess, writeTempFile } from '../support/command.ts';

// Linux refuses to replace a file that is a mount point, as with `docker -v ./rows.json:/rows.json`.
vi.mock('node:fs', async (original) => ({
  ...(await original<typeof import('node:fs')>()),
  renameSync: () => {
    throw Object.assign(new Error('EBUSY: it is mounted'), { code: 'EBUSY' });
  },
}));

test('a state file that is a mount point is overwritten in place', async () => {
  const state = writeTempFile('rows.json', JSON.stringify({ leads: [{ notes: 'x'.repeat(500) }] }));
  const { ino } = statSync(state);
  const { call, stop, warned } = await startInProcess('--state', state);
  expect((await call('/api/v2/public/leads', create('+5511987654321'))).status).toBe(201);
  await stop();
  expect([leadsIn(state).length, statSync(state).ino, warned]).toEqual([2, ino, []]);
  expect(readdirSync(join(state, '..'))).toEqual(['rows.json']);
});
