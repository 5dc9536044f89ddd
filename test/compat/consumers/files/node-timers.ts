/** The fake timers of node:test with a mock: run in `docs/test/blocks.slow.test.ts`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createClient } from '@confab/client';
import { createMock } from '@confab/mock';

test('it asks for new leads every ten seconds', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'] });
  const mock = createMock({ clock: 'system' });
  const confab = createClient(mock.clientOptions);

  const totals: number[] = [];
  const timer = setInterval(async () => totals.push((await confab.leads.list()).meta.total), 10_000);
  for (let second = 0; second < 30; second += 1) {
    t.mock.timers.tick(1_000);
    await setImmediate();
  }
  clearInterval(timer);

  assert.deepEqual(totals, [0, 0, 0]);
});
