import { eventually } from '@confab/internal/test-support';
import { describe, expect, test } from 'vitest';
import { hold } from '../support/hold.ts';
import { hosts } from '../support/hosts.ts';

const create = { body: { phone: '+5511987654321' } };

describe.each(hosts)('through $name', ({ open }) => {
  test('a write whose caller gives up at once is not carried out', async () => {
    const { mock, send } = await open();
    const controller = new AbortController();
    const reason = new Error('changed my mind');
    const creating = send('leads.create', { ...create, signal: controller.signal });
    controller.abort(reason);
    await expect(creating).rejects.toBe(reason);
    expect((await send('leads.list')).status).toBe(200);
    expect(mock.leads.count()).toBe(0);
  });

  test('a write whose caller gives up while it is held is not carried out', async () => {
    const { mock, send } = await open();
    const controller = new AbortController();
    const reason = new Error('too slow');
    const { arrived, release } = hold(mock, 'leads.create');
    const creating = send('leads.create', { ...create, signal: controller.signal });
    creating.catch(() => {});
    await arrived;
    controller.abort(reason);
    await expect(creating).rejects.toBe(reason);
    await eventually(() => expect(mock.requests.of('leads.create')).toMatchObject([{ status: undefined }]));
    release(undefined);
    expect((await send('leads.list')).status).toBe(200);
    expect(mock.leads.count()).toBe(0);
  });
});
