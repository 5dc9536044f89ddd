/** What a user of node:test writes: run in `docs/test/blocks.slow.test.ts`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient } from '@confab/client';
import { createMock, expectNothingMissed } from '@confab/mock';

test('a sign-up becomes a lead', async () => {
  const mock = createMock({ rateLimit: 1 });
  const confab = createClient(mock.clientOptions);
  await confab.leads.create({ phone: '+5511987654321' });
  await confab.leads.list(); // waits for 60 s of the mock's time
  mock.requests.verify({ operation: 'leads.create', body: { phone: '+5511987654321' }, times: 1 });
  assert.equal(mock.leads.count(), 1);
  expectNothingMissed(mock);
});

test('requests.verify() describes a missing request', () => {
  const { requests } = createMock();
  assert.throws(() => requests.verify({ operation: 'leads.create' }), /leads\.create/);
});
