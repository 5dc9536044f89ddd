import { describe, expect } from 'vitest';
import { test } from '../src/vitest/index.ts';

const PHONE = '+5511987654321';

test('each test is given a mock and a client of its own', async ({ mock, confab }) => {
  expect(mock.leads.count()).toBe(0);
  await confab.leads.create({ phone: PHONE });
  expect(mock.leads.count()).toBe(1);
});

test('nothing of the test before is left', async ({ mock, confab }) => {
  expect(mock.leads.count()).toBe(0);
  await confab.leads.create({ phone: PHONE });
});

describe('with options of its own', () => {
  test.override('mockOptions', { data: 'demo', rateLimit: 1 });

  test('a block of tests can be given another mock', async ({ mock, confab }) => {
    const began = mock.clock.now();
    expect(await confab.leads.list({ limit: 1 })).toMatchObject({ meta: { total: 60 } });
    await confab.agents.list();
    expect(mock.clock.now()).toBe(began + 60_000);
  });
});

test('toHaveReceived looks into parameters, query and body', async ({ mock, confab }) => {
  const lead = await confab.leads.create({ phone: PHONE, displayName: 'Ana' });
  await confab.leads.update(lead.id, { status: 'active' });
  await confab.leads.list({ status: 'active', limit: 5 });
  expect(mock).toHaveReceived('leads.create');
  expect(mock).toHaveReceived('leads.create', { phone: PHONE });
  expect(mock).toHaveReceived('leads.create', { displayName: expect.stringMatching(/^A/) });
  expect(mock).toHaveReceived('leads.update', { id: lead.id, status: 'active' });
  expect(mock).toHaveReceived('leads.list', { limit: 5 });
  expect(mock).not.toHaveReceived('leads.create', { phone: '+5511987654322' });
  expect(mock).not.toHaveReceived('leads.get');
});

test('toHaveReceived fails with what came instead', async ({ mock, confab }) => {
  expect(() => expect(mock).toHaveReceived('leads.create')).toThrow(/there was none/);
  await confab.leads.create({ phone: PHONE });
  expect(() => expect(mock).toHaveReceived('leads.create', { phone: 'other' })).toThrow(PHONE);
  expect(() => expect(mock).not.toHaveReceived('leads.create')).toThrow(/there was one/);
  // @ts-expect-error no such operation
  expect(() => expect(mock).toHaveReceived('leads.remove')).toThrow(/leads\.remove/);
});

test('toHaveDelivered looks at the events that were taken', async ({ mock }) => {
  mock.webhooks.add({
    url: 'https://receiver.test',
    secret: 'whsec_0123456789',
    fetch: () => new Response(null, { status: 204 }),
  });
  await mock.inbound({ phone: PHONE, body: 'Hello' });
  expect(mock).not.toHaveDelivered('message.created');
  await mock.webhooks.flush();
  expect(mock).toHaveDelivered('message.created', { body: 'Hello' });
  expect(mock).not.toHaveDelivered('message.created', { body: 'Bye' });
});
