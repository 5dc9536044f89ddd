import { eventually } from '@confab/internal/test-support';
import { expect, test } from 'vitest';
import { hold } from '../support/hold.ts';
import { hosts } from '../support/hosts.ts';

test.each(hosts)(
  'a write whose caller gives up, at once or while it is held, is not carried out ($name)',
  async (host) => {
    const { mock, send } = await host.open();
    const controller = new AbortController();
    const create = () =>
      send('leads.create', { body: { phone: '+5511987654321' }, signal: controller.signal });
    const { arrived, release } = hold(mock, 'leads.create');
    const creating = [create()];
    await arrived;
    creating.push(create());
    const reason = new Error('changed my mind');
    controller.abort(reason);
    expect(await Promise.allSettled(creating)).toEqual(Array(2).fill({ status: 'rejected', reason }));
    await eventually(() => expect(mock.requests.all[0]).toMatchObject({ status: undefined }));
    release(undefined);
    expect((await send('leads.list')).status).toBe(200);
    expect(mock.leads.count()).toBe(0);
  },
);
