import { eventually, turns } from '@confab/internal/test-support';
import { expect, test } from 'vitest';
import { open } from '../support/hosts.ts';
import { delivered, keeper, receiver, secret } from '../support/receiver.ts';

const MIB = 1024 * 1024;

test.each([
  [undefined, 10],
  [3, 3],
  [1, 1],
])(
  'an endpoint with the concurrency %s gets at most %i attempts at once, in order',
  async (concurrency, most) => {
    const { mock } = open({ clock: 'system' });
    const held: ((response: Response) => void)[] = [];
    const taken: string[] = [];
    const fetch = async (request: Request): Promise<Response> => {
      taken.push(((await request.json()) as { event: string }).event);
      return new Promise((resolve) => held.push(resolve));
    };
    const { events: quick, endpoint } = receiver();
    mock.webhooks.add({ url: 'https://slow.test', secret, fetch, concurrency });
    mock.webhooks.add(endpoint);
    const events = Array.from({ length: 35 }, (_, index) => String(index));
    for (const event of events) {
      mock.webhooks.emit(event, {});
    }
    await eventually(() => expect([held.length, quick.length]).toEqual([most, 35]));
    for (let ended = 0; ended < 35; ended += 1) {
      await turns(20);
      expect(taken).toEqual(events.slice(0, ended + most));
      held[ended]?.(new Response());
    }
    await mock.webhooks.flush();
    expect(mock.webhooks.deliveries.every(({ state }) => state === 'delivered')).toBe(true);
  },
);

test('restore() at any moment after an attempt does not block later deliveries', async () => {
  const { mock } = open();
  let moments = 0;
  const restoreSoon = async () => {
    for (let passed = 0; passed < moments; passed += 1) {
      await undefined;
    }
    mock.restore(before);
  };
  const fetch = () => {
    if (moments < 40) {
      void restoreSoon();
    }
    return new Response();
  };
  mock.webhooks.add({ url: 'https://receiver.test', secret, fetch, concurrency: 1 });
  const before = mock.snapshot();
  for (; moments < 40; moments += 1) {
    mock.webhooks.emit('first', {});
    mock.webhooks.emit('second', {});
    await mock.webhooks.flush();
  }
  expect(await delivered(mock)).toMatchObject([{ state: 'delivered' }]);
});

test('beyond 10,000 deliveries, finished ones are dropped before pending ones are abandoned', async () => {
  const { mock } = open();
  mock.webhooks.add(keeper().endpoint);
  const add = (name: string, count: number, fault = { delayMs: 0 }) => {
    for (let index = 0; index < count; index += 1) {
      mock.webhooks.deliveryFaults.once(fault);
      mock.webhooks.emit(`${name} ${index}`, {});
    }
  };
  const named = (start: string) =>
    mock.webhooks.deliveries.map(({ event }) => event).filter((event) => event.startsWith(start));
  add('pending', 9_980, { delayMs: 1_000 });
  add('done', 20);
  await eventually(() => expect(mock.webhooks.deliveries.at(-1)?.state).toBe('delivered'));
  add('more', 5, { delayMs: 1_000 });
  expect([named('pending').length, named('done')[0], named('more').length]).toEqual([9_980, 'done 5', 5]);
  add('most', 17, { delayMs: 1_000 });
  expect([named('pending')[0], named('done'), named('m').length]).toEqual(['pending 2', [], 22]);
  expect(mock.webhooks.deliveries.length).toBe(10_000);
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
