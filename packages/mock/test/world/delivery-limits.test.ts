import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { eventually, listen, turns } from '@confab/internal/test-support';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Endpoint } from '../../src/index.ts';
import { failureOf, Slots } from '../../src/world/webhooks/attempt.ts';
import { Deliveries } from '../../src/world/webhooks/deliveries.ts';
import type { Delivery } from '../../src/world/webhooks/delivery.ts';
import { open } from '../support/hosts.ts';
import { secret } from '../support/receiver.ts';

const MIB = 1024 * 1024;

const URL_IN_PROCESS = 'https://receiver.test';

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
])(
  'with a concurrency of %s, at most %i attempts are on their way to an endpoint, in order',
  async (concurrency, most) => {
    const { mock } = open({ clock: 'system' });
    const receiver = holding();
    mock.webhooks.add({ url: URL_IN_PROCESS, secret, fetch: receiver.fetch, concurrency });
    const events = Array.from({ length: 35 }, (_, index) => String(index));
    for (const event of events) {
      mock.webhooks.emit(event, {});
    }
    await eventually(() => expect(receiver.held.length).toBe(most));
    await turns(20);
    expect(receiver.taken).toEqual(events.slice(0, most));
    let flushed = false;
    const flushing = mock.webhooks.flush().finally(() => {
      flushed = true;
    });
    while (!flushed) {
      receiver.letGo();
      await turns();
    }
    await flushing;
    expect([receiver.most(), receiver.taken]).toEqual([most, events]);
  },
);

test('a slow endpoint does not delay others', async () => {
  const { mock } = open({ clock: 'system' });
  const [slow, quick] = [holding(), holding()];
  mock.webhooks.add({ url: URL_IN_PROCESS, secret, fetch: slow.fetch, concurrency: 1 });
  mock.webhooks.add({ url: URL_IN_PROCESS, secret, fetch: quick.fetch });
  for (const event of ['a', 'b', 'c']) {
    mock.webhooks.emit(event, {});
  }
  await eventually(() => expect(quick.taken).toEqual(['a', 'b', 'c']));
  expect(slow.taken).toEqual(['a']);
  mock.reset();
});

test('slots are passed on in order, even if some callers give up, and their number never grows', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.record({ leaves: fc.boolean(), steps: fc.integer({ min: 0, max: 5 }) }), { maxLength: 30 }),
      async (count, comers) => {
        const slots = new Slots(count);
        let inside = 0;
        const entered: number[] = [];
        const visits = comers.map(async ({ leaves, steps }, index) => {
          const controller = new AbortController();
          const entering = slots.take(controller.signal);
          if (leaves) {
            controller.abort(new Error('left'));
          }
          const giveBack = await entering;
          inside += 1;
          entered.push(index);
          expect(inside).toBeLessThanOrEqual(count);
          for (let step = 0; step < steps; step += 1) {
            await null;
          }
          inside -= 1;
          giveBack();
        });
        const results = await Promise.allSettled(visits);
        const stayed = comers.flatMap(({ leaves }, index) => (leaves ? [] : [index]));
        expect(entered.filter((index) => stayed.includes(index))).toEqual(stayed);
        for (const [index, result] of results.entries()) {
          if (result.status === 'rejected') {
            expect([comers[index]?.leaves, result.reason.message]).toEqual([true, 'left']);
          }
        }
      },
    ),
  );
});

test.each([0, -1, 1.5, Number.NaN])('a concurrency of %s is refused', (concurrency) => {
  expect(() => open().mock.webhooks.add({ url: URL_IN_PROCESS, secret, concurrency })).toThrow(
    /`concurrency` of an endpoint must be a whole number \(1 or more\)/,
  );
});

const deliveryOf = (id: string, state: Delivery['state'], length = 1): Delivery => ({
  ...{ id, endpointId: '', url: '', messageId: '', event: id, data: {}, attempts: [], state },
  body: 'x'.repeat(length),
});

test('finished deliveries are dropped first, and pending ones are abandoned last', () => {
  const given: string[] = [];
  const record = new Deliveries({ maxBytes: MIB, onGiveUp: (id) => given.push(id) });
  for (let at = 0; at < 5_000; at += 1) {
    record.set(deliveryOf(`p${at}`, 'pending'));
  }
  for (let at = 0; at < 5_001; at += 1) {
    record.set(deliveryOf(`d${at}`, 'delivered'));
  }
  expect(given).toEqual([]);
  expect(record.get('p0')).toBeDefined();
  expect(record.get('d0')).toBeUndefined();
  for (let at = 5_000; at < 10_002; at += 1) {
    record.set(deliveryOf(`p${at}`, 'pending'));
  }
  expect(given).toEqual(['p0', 'p1']);
  expect(record.all.length).toBe(10_000);
});

test('pending deliveries take no more than 64 MiB, except for the latest', () => {
  const given: string[] = [];
  const record = new Deliveries({ maxBytes: 0, onGiveUp: (id) => given.push(id) });
  for (const id of ['a', 'b', 'c']) {
    record.set(deliveryOf(id, 'pending', 7 * MIB));
  }
  expect(given).toEqual(['a']);
  record.set(deliveryOf('b', 'delivered', 7 * MIB));
  expect(record.all.map(({ id }) => id)).toEqual(['c']);
  record.set(deliveryOf('d', 'pending', 40 * MIB));
  expect([given, record.all.map(({ id }) => id)]).toEqual([['a', 'c'], ['d']]);
});

test('a delivery that is abandoned to save memory is not attempted again', async () => {
  const { mock } = open({ maxLogBytes: Number.POSITIVE_INFINITY });
  let attempts = 0;
  mock.webhooks.add({
    url: URL_IN_PROCESS,
    secret,
    fetch: () => {
      attempts += 1;
      return new Response(null, { status: 503 });
    },
  });
  mock.webhooks.emit('first', { text: 'x'.repeat(10 * MIB) });
  await eventually(() => expect(mock.webhooks.deliveries[0]?.attempts.length).toBe(1));
  mock.webhooks.emit('second', { text: 'x'.repeat(10 * MIB) });
  await mock.webhooks.flush();
  expect(mock.webhooks.deliveries.map(({ event, state }) => [event, state])).toEqual([['second', 'failed']]);
  expect(attempts).toBe(1 + 6);
});

/** What the one attempt of a delivery says of its failure. */
const failureAt = async (endpoint: Partial<Endpoint>): Promise<string | undefined> => {
  const { mock } = open();
  mock.webhooks.add({ url: URL_IN_PROCESS, secret, retries: [], ...endpoint });
  mock.webhooks.emit('event', {});
  await mock.webhooks.flush();
  return mock.webhooks.deliveries[0]?.attempts[0]?.error;
};

test('a failure says why: connection refused', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  expect(await failureAt({ url: `http://127.0.0.1:${port}/` })).toBe(
    `TypeError: fetch failed: connect ECONNREFUSED 127.0.0.1:${port}`,
  );
  // Two addresses, or one, as the machine has it.
  expect(await failureAt({ url: `http://localhost:${port}/` })).toContain('ECONNREFUSED');
});

test('a failure says why: a port that fetch refuses, a name that is unknown, a broken connection', async () => {
  expect(await failureAt({ url: 'http://127.0.0.1:6000/' })).toMatch(/fetch refuses this port/);
  expect(await failureAt({ url: 'http://nowhere.invalid/' })).toMatch(/ENOTFOUND|EAI_AGAIN/);
  const url = await listen((incoming) => void incoming.socket.destroy());
  expect(await failureAt({ url })).toMatch(/fetch failed: .*(?:closed|ECONNRESET)/);
});

test('a failure says what a receiver in this process throws, and no more than 500 characters of it', async () => {
  const thrown = (value: unknown) =>
    failureAt({
      fetch: () => {
        throw value;
      },
    });
  expect(await thrown(new RangeError('Too far'))).toBe('RangeError: Too far');
  expect(await thrown('a string')).toBe('a string');
  expect(await thrown(undefined)).toBe('undefined');
  expect(await thrown(new Error('x'.repeat(5_000)))).toHaveLength(500);
});

test('a failure with an endless chain of causes, or with many attempts, is still reported', () => {
  const loop = new Error('one');
  loop.cause = new Error('two', { cause: loop });
  expect(failureOf(loop)).toBe('Error: one: two');
  const refused = Object.assign(new Error('connect ECONNREFUSED ::1:80'), { code: 'ECONNREFUSED' });
  const both = Object.assign(new AggregateError([refused, new Error('no route')], ''), {
    code: 'ECONNREFUSED',
  });
  expect(failureOf(new TypeError('fetch failed', { cause: both }))).toBe(
    'TypeError: fetch failed: ECONNREFUSED: connect ECONNREFUSED ::1:80: no route',
  );
  const many = new AggregateError(
    Array.from({ length: 5_000 }, (_, index) => new Error(String(index))),
    'all',
  );
  expect(failureOf(many)).toBe('AggregateError: all: 0: 1: 2: 3: 4: 5: 6');
  expect(failureOf({ code: 7, message: null })).toBe('no reason was given');
});

test('a mock has at most 100 endpoints, and one that was removed makes room', () => {
  const { mock } = open();
  const endpoint = { url: URL_IN_PROCESS, secret };
  const ids = Array.from({ length: 100 }, () => mock.webhooks.add(endpoint));
  expect(() => mock.webhooks.add(endpoint)).toThrow(
    'This mock already has 100 endpoints. Remove one with webhooks.remove() first.',
  );
  mock.webhooks.remove(ids[0] ?? '');
  mock.webhooks.add(endpoint);
  expect(mock.webhooks.endpoints).toHaveLength(100);
});
