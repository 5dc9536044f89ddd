import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient, ImportStoppedError } from '@confab/client';
import { createMock } from '@confab/mock';
import { importLeads } from '../src/import-leads.ts';

const rows = Array.from({ length: 30 }, (_, index) => ({ phone: `+4420794600${10 + index}` }));

test('importLeads() creates new leads, counts known ones, and continues after an invalid row', async () => {
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

test('with ten requests per minute, an import of 30 leads takes two minutes of the mock’s clock', async () => {
  const mock = createMock({ strict: true, rateLimit: 10 });
  const before = mock.clock.now();
  const { created } = await importLeads(createClient(mock.clientOptions), rows);
  assert.equal(created, 30);
  assert.equal(mock.clock.now() - before, 120_000);
});

test('importLeads() does not create a lead twice if the response is lost', async () => {
  const mock = createMock({ strict: true });
  mock.faults.once('leads.create', { network: 'truncate' });
  const { created, known } = await importLeads(createClient(mock.clientOptions), rows);
  assert.deepEqual({ created, known }, { created: 29, known: 1 });
  assert.equal(mock.leads.count(), 30);
});

test('importLeads() stops while the service is down, and a second run creates the rest', async () => {
  const mock = createMock({ strict: true });
  const confab = createClient(mock.clientOptions);
  mock.faults.always('leads.create', { status: 503 });
  await assert.rejects(importLeads(confab, rows), ImportStoppedError);
  mock.faults.clear();
  await mock.clock.advance(600_000);
  assert.equal(mock.leads.count(), 0);
  assert.equal((await importLeads(confab, rows)).created, 30);
});
