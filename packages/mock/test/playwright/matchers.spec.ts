import { createClient } from '@confab/client';
import { expect as base } from '@playwright/test';
import { createMock } from '../../src/index.ts';
import { matchers } from '../../src/matchers/index.ts';
import { expect, test } from '../../src/playwright/index.ts';
import { connectMock } from '../../src/remote/index.ts';
import { serve } from '../../src/server/index.ts';

// This browser could not start: a test that uses no page needs none.
test.use({ launchOptions: { executablePath: '/nowhere/chromium' } });

const PHONE = '+5511987654321';

test('the matchers wait for requests and events that come later', async ({ mock }) => {
  const confab = createClient(mock.clientOptions);
  const assertion = expect(mock).toHaveReceived('leads.create', { phone: base.stringContaining('987') });
  let settled = false;
  const watched = assertion.then(() => {
    settled = true;
  });
  await confab.agents.list();
  expect(settled).toBe(false);
  await confab.leads.create({ phone: PHONE });
  await watched;
  await expect(mock).not.toHaveReceived('leads.list');
});

test('when the timeout expires, the matchers fail and show what was received instead', async ({ mock }) => {
  const confab = createClient(mock.clientOptions);
  await confab.leads.create({ phone: PHONE });
  const impatient = expect.configure({ timeout: 10 });
  const failure = impatient(mock).toHaveReceived('leads.create', { phone: 'other' });
  await expect(failure).rejects.toThrow(`there was one, which does not fit:\n  {"phone": "${PHONE}"}`);
  await expect(impatient(mock).not.toHaveReceived('leads.create')).rejects.toThrow('Expected no request');
  await expect(impatient(mock).toHaveDelivered('message.created')).rejects.toThrow('mock.webhooks.add()');
  // @ts-expect-error no operation has this name
  await expect(expect(mock).toHaveReceived('lead.create')).rejects.toThrow('Did you mean "leads.create"?');
});

test('the matchers of @confab/mock/matchers extend the expect of Playwright, for local and remote mocks', async () => {
  const both = base.extend(matchers);
  const mock = createMock();
  await using server = await serve(mock);
  const remote = await connectMock(server.url);
  await createClient(remote.clientOptions).leads.create({ phone: PHONE });
  both(mock).toHaveReceived('leads.create', { phone: base.stringContaining('987') });
  await both(remote).toHaveReceived('leads.create', { phone: base.stringContaining('987') });
  await both(remote).not.toHaveReceived('leads.create', base.not.objectContaining({ phone: PHONE }));
  const refused = Promise.resolve(both(remote).not.toHaveReceived('leads.create'));
  await base(refused).rejects.toThrow('there was one');
});
