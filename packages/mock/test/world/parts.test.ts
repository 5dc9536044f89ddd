import { expect, test } from 'vitest';
import { createMock } from '../../src/index.ts';
import { open } from '../support/hosts.ts';
import { receiver, secret } from '../support/receiver.ts';

test('faults.planned lists the faults, and faults.remove() removes one of them', async () => {
  const { mock, send } = open();
  const decide = () => undefined;
  const first = mock.faults.always('agents.list', { status: 503 });
  const second = mock.faults.once('*', decide);
  expect(mock.faults.planned).toEqual([
    { id: first, operation: 'agents.list', fault: { status: 503 }, once: false },
    { id: second, operation: '*', fault: decide, once: true },
  ]);
  expect((await send('agents.list')).status).toBe(503);
  expect([mock.faults.remove(first), mock.faults.remove(first)]).toEqual([true, false]);
  expect((await send('agents.list')).status).toBe(200);
  expect(mock.faults.planned.map(({ id }) => id)).toEqual([second]);
});

test('keys.list() shows the scopes and the window of each key, and never a key', async () => {
  const { mock, send } = open({ rateLimit: { requests: 5, perMs: 1_000 } });
  const { id, key } = mock.keys.create({ scopes: ['read:agents'], rateLimit: 2 });
  await send('agents.list', { key });
  await send('agents.list', { key });
  const [own, other] = mock.keys.list();
  expect(own).toMatchObject({ rateLimit: { requests: 5, perMs: 1_000 }, used: 0 });
  expect(other).toEqual({
    id,
    scopes: ['read:agents'],
    rateLimit: { requests: 2, perMs: 60_000 },
    used: 2,
  });
  expect(JSON.stringify(mock.keys.list())).not.toContain('confab_live_');
  await mock.clock.advance(60_000);
  expect(mock.keys.list()[1]?.used).toBe(0);
});

test('webhooks.endpoints lists the endpoints without their secrets, and remove() ends their deliveries', async () => {
  const { mock } = open();
  const { fetch, events, url } = receiver();
  const id = mock.webhooks.add({ url, secret, fetch, retries: [5] });
  expect(mock.webhooks.endpoints).toEqual([
    {
      id,
      url,
      signature: { header: 'x-webhook-signature', encoding: 'hex' },
      retries: [5],
      timeout: 10_000,
      concurrency: 10,
    },
  ]);
  mock.webhooks.emit('order.paid', { id: 1 });
  expect([mock.webhooks.remove(id), mock.webhooks.remove(id)]).toEqual([true, false]);
  mock.webhooks.emit('order.paid', { id: 2 });
  await mock.webhooks.flush();
  expect(events).toEqual([{ event: 'order.paid', data: { id: 1 } }]);
});

test('webhooks.redeliver() posts the same body again, as another delivery of the same event', async () => {
  const { mock } = open();
  const { fetch, events, url } = receiver((nth) => (nth === 1 ? 500 : 200));
  mock.webhooks.add({ url, secret, fetch, retries: [] });
  mock.webhooks.emit('order.paid', { id: 1 });
  await mock.webhooks.flush();
  const [failed] = mock.webhooks.deliveries;
  expect(failed?.state).toBe('failed');
  const again = mock.webhooks.redeliver(failed?.id ?? '');
  await mock.webhooks.flush();
  expect(events).toEqual(Array(2).fill({ event: 'order.paid', data: { id: 1 } }));
  const [, delivered] = mock.webhooks.deliveries;
  expect(delivered).toMatchObject({ id: again.id, state: 'delivered', body: failed?.body });
  expect([delivered?.messageId, delivered?.endpointId]).toEqual([failed?.messageId, failed?.endpointId]);
  expect(delivered?.id).not.toBe(failed?.id);
});

test('webhooks.redeliver() refuses unknown deliveries and removed endpoints', async () => {
  const { mock } = open();
  const { fetch, url } = receiver();
  const endpoint = mock.webhooks.add({ url, secret, fetch });
  mock.webhooks.emit('order.paid', {});
  await mock.webhooks.flush();
  const id = mock.webhooks.deliveries[0]?.id ?? '';
  expect(() => mock.webhooks.redeliver('nothing')).toThrow('no delivery has the id nothing');
  mock.webhooks.remove(endpoint);
  expect(() => mock.webhooks.redeliver(id)).toThrow(`the endpoint ${endpoint} (${url}) was removed`);
  await mock.close();
  expect(() => mock.webhooks.redeliver(id)).toThrow(expect.objectContaining({ code: 'MOCK_CLOSED' }));
});

test('a restored mock delivers to the endpoints of the snapshot, and gives new ones other ids', () => {
  const mock = createMock();
  const first = mock.webhooks.add({ url: 'https://a.test', secret });
  const before = mock.snapshot();
  mock.webhooks.remove(first);
  mock.restore(before);
  expect(mock.webhooks.endpoints.map(({ id }) => id)).toEqual([first]);
  expect(mock.webhooks.add({ url: 'https://b.test', secret })).not.toBe(first);
});
