import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient, ImportStoppedError } from '@confab/client';
import { createMock } from '@confab/mock';
import { importLeads } from '../src/import-leads.ts';

const rows = Array.from({ length: 30 }, (_, index) => ({ phone: `+4420794600${10 + index}` }));

test('new leads are created, known ones counted, and invalid rows do not stop the import', async () => {
  const mock = createMock({ strict: true });
  const confab = createClient(mock.clientOptions);
  mock.leads.create({ phone: '+442079460010' });
  const { created, known, refused } = await importLeads(confab, [...rows, { phone: 'unknown' }]);
  assert.deepEqual({ created, known }, { created: 29, known: 1 });
  assert.deepEqual(
    refused.map(({ lead }) => lead),
    [{ phone: 'unknown' }],
  );
  assert.equal(mock.leads.count(), 30);
});

test('under ten requests a minute the import takes two minutes of the mock’s clock and creates every lead', async () => {
  const mock = createMock({ strict: true, rateLimit: 10 });
  const before = mock.clock.now();
  const { created } = await importLeads(createClient(mock.clientOptions), rows);
  assert.equal(created, 30);
  assert.equal(mock.clock.now() - before, 120_000);
});

test('a lead whose response is lost is not created twice', async () => {
  const mock = createMock({ strict: true });
  mock.faults.once('leads.create', { network: 'truncate' });
  const { created, known } = await importLeads(createClient(mock.clientOptions), rows);
  assert.deepEqual({ created, known }, { created: 29, known: 1 });
  assert.equal(mock.leads.count(), 30);
});

test('if the service stays down the import stops, and a second run creates the rest', async () => {
  const mock = createMock({ strict: true });
  const confab = createClient(mock.clientOptions);
  mock.faults.always('leads.create', { status: 503 });
  await assert.rejects(importLeads(confab, rows), ImportStoppedError);
  mock.faults.clear();
  await mock.clock.advance(600_000);
  assert.equal(mock.leads.count(), 0);
  assert.equal((await importLeads(confab, rows)).created, 30);
});
