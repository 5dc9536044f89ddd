/** What a user of Bun writes: run and compiled in `main.ts`. */
import { expect, test } from 'bun:test';
import { createClient } from '@confab/client';
import { createMock, expectNothingMissed } from '@confab/mock';
import { matchers } from '@confab/mock/matchers';
import { connectMock } from '@confab/mock/remote';
import { serve } from '@confab/mock/server';

expect.extend(matchers);

test('a sign-up becomes a lead', async () => {
  const mock = createMock({ rateLimit: 1 });
  const confab = createClient(mock.clientOptions);
  await confab.leads.create({ phone: '+5511987654321' });
  await confab.leads.list(); // waits for 60 s of the mock's time
  expect(mock).toHaveReceived('leads.create', { phone: '+5511987654321' });
  expectNothingMissed(mock);
});

const PHONE = '+5511987654321';

test('the matchers compare values like those of Bun', async () => {
  const mock = createMock();
  await createClient(mock.clientOptions).leads.create({ phone: PHONE });
  expect(mock).toHaveReceived('leads.create', { phone: expect.stringContaining('987') });
  expect(mock).toHaveReceived('leads.create', expect.objectContaining({ phone: PHONE }));
  expect(mock).not.toHaveReceived('leads.create', expect.not.objectContaining({ phone: PHONE }));
  expect(() => expect(mock).toHaveReceived('leads.create', { phone: 'another' })).toThrow(
    `with { phone: "another" }; there was one, which does not fit:\n  { phone: "${PHONE}" }`,
  );
  mock.faults.once('leads.list', { status: 503 });
  expect(() => expectNothingMissed(mock)).toThrow(`faults.once('leads.list', {"status":503}) was never used`);
  // @ts-expect-error no operation has this name
  expect(() => expect(mock).toHaveReceived('lead.create')).toThrow('Did you mean "leads.create"?');
});

test('the matchers check a mock server too', async () => {
  const server = await serve(createMock());
  const mock = await connectMock(server.url);
  await createClient(mock.clientOptions).leads.create({ phone: PHONE });
  await expect(mock).toHaveReceived('leads.create', { phone: PHONE });
  await expect(mock).not.toHaveReceived('leads.list');
  const toAwait: Promise<void> = expect(mock).toHaveReceivedInOrder(['leads.create']);
  await toAwait;
  await expectNothingMissed(mock);
  await server.close();
});
