import { eventually, turns } from '@confab/internal/test-support';
import { expect, test } from 'vitest';
import type { Delivery } from '../../src/world/webhooks/delivery.ts';
import { DeliveryLog } from '../../src/world/webhooks/delivery-log.ts';
import { open } from '../support/hosts.ts';
import { keeper, receiver, secret } from '../support/receiver.ts';

const MIB = 1024 * 1024;

/** A receiver that holds every delivery until it is let go, and counts those that it holds. */
const holding = () => {
  const held: (() => void)[] = [];
  const taken: string[] = [];
  let most = 0;
  return {
    held,
    taken,
    most: () => most,
    fetch: async (request: Request): Promise<Response> => {
      taken.push(((await request.json()) as { event: string }).event);
      await new Promise<void>((resolve) => {
        held.push(resolve);
        most = Math.max(most, held.length);
      });
      return new Response();
    },
    letGo: () => held.splice(0, 1)[0]?.(),
  };
};

test.each([
  [undefined, 10],
  [3, 3],
  [1, 1],
])('with a concurrency of %s, at most %i attempts are on their way, in order', async (concurrency, most) => {
  const { mock } = open({ clock: 'system' });
  const slow = holding();
  const { events: delivered, endpoint } = receiver();
  mock.webhooks.add({ url: 'https://slow.test', secret, fetch: slow.fetch, concurrency });
  mock.webhooks.add(endpoint);
  const events = Array.from({ length: 35 }, (_, index) => String(index));
  for (const event of events) {
    mock.webhooks.emit(event, {});
  }
  await eventually(() => expect([slow.held.length, delivered.length]).toEqual([most, 35]));
  await turns(20);
  expect(slow.taken).toEqual(events.slice(0, most));
  let flushed = false;
  const flushing = mock.webhooks.flush().finally(() => {
    flushed = true;
  });
  while (!flushed) {
    slow.letGo();
    await turns();
  }
  await flushing;
  expect([slow.most(), slow.taken]).toEqual([most, events]);
});

const deliveryOf = (id: string, state: Delivery['state'], length = 1): Delivery => ({
  ...{ id, endpointId: '', url: '', messageId: '', event: id, data: {}, attempts: [], state },
  body: 'x'.repeat(length),
});

test('of 10,000 deliveries, finished ones are dropped first, and pending ones are abandoned last', () => {
  const given: string[] = [];
  const record = new DeliveryLog({ maxBytes: MIB, onGiveUp: (id) => given.push(id) });
  for (let at = 0; at < 5_000; at += 1) {
    record.set(deliveryOf(`p${at}`, 'pending'));
  }
  for (let at = 0; at < 5_001; at += 1) {
    record.set(deliveryOf(`d${at}`, 'delivered'));
  }
  expect([given, record.get('p0')?.id, record.get('d0')]).toEqual([[], 'p0', undefined]);
  for (let at = 5_000; at < 10_002; at += 1) {
    record.set(deliveryOf(`p${at}`, 'pending'));
  }
  expect(given).toEqual(['p0', 'p1']);
  expect(record.all.length).toBe(10_000);
});

test('a delivery that is abandoned to save memory is not attempted again', async () => {
  const { mock } = open({ maxLogBytes: Number.POSITIVE_INFINITY });
  const { seen, endpoint } = keeper(503);
  mock.webhooks.add(endpoint);
  mock.webhooks.emit('first', { text: 'x'.repeat(10 * MIB) });
  await eventually(() => expect(mock.webhooks.deliveries[0]?.attempts.length).toBe(1));
  mock.webhooks.emit('second', { text: 'x'.repeat(10 * MIB) });
  await mock.webhooks.flush();
  expect(mock.webhooks.deliveries.map(({ event, state }) => [event, state])).toEqual([['second', 'failed']]);
  expect(seen).toHaveLength(1 + 6);
});
