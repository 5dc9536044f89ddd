import { eventually } from '@confab/internal/test-support';
import { expect, test } from 'vitest';
import { hosts } from '../support/hosts.ts';

const create = { body: { phone: '+5511987654321' } };

test.each(hosts)('a write whose caller gives up at once is not carried out ($name)', async (host) => {
  await using service = await host.open();
  const { mock, send } = service;
  const controller = new AbortController();
  const reason = new Error('changed my mind');
  const creating = send('leads.create', { ...create, signal: controller.signal });
  controller.abort(reason);
  await expect(creating).rejects.toBe(reason);
  expect((await send('leads.list')).status).toBe(200);
  expect(mock.leads.count()).toBe(0);
});

test.each(hosts)(
  'a write whose caller gives up while it is held is not carried out ($name)',
  async (host) => {
    await using service = await host.open();
    const { mock, send } = service;
    const controller = new AbortController();
    const reason = new Error('too slow');
    const [arrived, held] = [Promise.withResolvers<void>(), Promise.withResolvers<undefined>()];
    mock.faults.once('leads.create', () => {
      arrived.resolve();
      return held.promise;
    });
    const creating = send('leads.create', { ...create, signal: controller.signal });
    creating.catch(() => {});
    await arrived.promise;
    controller.abort(reason);
    await expect(creating).rejects.toBe(reason);
    await eventually(() => expect(mock.requests.of('leads.create')).toMatchObject([{ status: undefined }]));
    held.resolve(undefined);
    expect((await send('leads.list')).status).toBe(200);
    expect(mock.leads.count()).toBe(0);
  },
);
