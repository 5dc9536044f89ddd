/** What a user of vitest writes: run and compiled with each version and environment in use. */
import { NotFoundError } from '@confab/client';
import { test } from '@confab/mock/vitest';
import { expect } from 'vitest';

test('the fixture provides a mock and a client', async ({ mock, confab }) => {
  await confab.leads.create({ phone: '+5511987654321' });
  expect(mock).toHaveReceived('leads.create', { phone: '+5511987654321' });
  expect(mock).not.toHaveReceived('conversations.sendMessage');
  // @ts-expect-error no operation has this name
  expect(() => expect(mock).toHaveReceived('lead.create')).toThrow('Did you mean "leads.create"?');
  expect(() => expect(mock).toHaveReceived('leads.create', { phone: 'another' })).toThrow('does not fit');
  await expect(confab.leads.get('5f0c7a52-6b1e-4c62-9a5a-0d5c2f1c8d11')).rejects.toBeInstanceOf(
    NotFoundError,
  );
});

test.describe('with options', () => {
  test.override('mockOptions', { rateLimit: 1 });

  test('the mock has these options, and time passes on its clock', async ({ mock, confab }) => {
    const began = mock.clock.now();
    await confab.agents.list();
    await confab.agents.list();
    expect(mock.clock.now()).toBe(began + 60_000);
  });
});

test.describe('with options of the client', () => {
  test.override('clientOptions', { retry: false });

  test('the client has the overridden options', async ({ mock, confab }) => {
    mock.faults.once('agents.list', { status: 503 });
    await expect(confab.agents.list()).rejects.toThrow();
    expect(mock.requests.of('agents.list')).toHaveLength(1);
  });
});
