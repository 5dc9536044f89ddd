import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '@confab/internal/test-support';
import { expect, onTestFinished, test } from 'vitest';
import type { Endpoint } from '../../src/index.ts';
import { createMock } from '../../src/index.ts';
import { receiver } from '../support/receiver.ts';
import { start } from '../support/serving.ts';
import { makeWorld } from '../support/worlds.ts';

const LATEST = '9999-12-31T23:59:59.999Z';

/** A receiver that refuses everything. */
const refusing = (retries: readonly number[]): Endpoint => {
  const { events: _, ...endpoint } = receiver(() => 503);
  return { ...endpoint, retries };
};

/** A served mock on the system clock whose only delivery waits ten minutes for a retry. */
const waiting = async () => {
  const service = await start({}, { clock: 'system' });
  service.mock.webhooks.add(refusing([600_000]));
  const attempted = new Promise<void>((resolve) => {
    const fetch = () => {
      resolve();
      return new Response();
    };
    service.mock.webhooks.add({ ...refusing([]), fetch });
  });
  service.mock.webhooks.emit('order.paid', {});
  await attempted;
  return service;
};

test('on the system clock, a flush over HTTP ends in time, and says what is pending until when', async () => {
  await using service = await waiting();
  const before = Date.now();
  const { status, code, error } = await service.control('POST', 'webhooks/flush?timeoutMs=50');
  expect([status, code]).toEqual([409, 'DELIVERIES_PENDING']);
  const said =
    /^1 delivery is still pending after 50 ms\. The next attempt is due at (\S+)\. Wait longer/.exec(error);
  expect(Date.parse(said?.[1] ?? '') - before).toBeGreaterThan(590_000);
  expect(service.mock.webhooks.deliveries.map(({ state }) => state)).toEqual(['pending', 'delivered']);
});

test('a flush over HTTP whose receiver does not respond says that an attempt is under way', async () => {
  await using service = await start({}, { clock: 'system' });
  service.mock.webhooks.add({ ...refusing([]), fetch: () => new Promise(() => {}) });
  service.mock.webhooks.emit('order.paid', {});
  service.mock.webhooks.emit('order.paid', {});
  const { status, error } = await service.control('POST', 'webhooks/flush?timeoutMs=20');
  expect([status, error]).toEqual([
    409,
    expect.stringMatching(/^2 deliveries are still pending after 20 ms\. An attempt is under way/),
  ]);
});

test('a flush over HTTP that ended too early makes no more time pass', async () => {
  await using service = await start();
  const { mock, control } = service;
  let respond = (_: Response) => {};
  const response = new Promise<Response>((resolve) => {
    respond = resolve;
  });
  mock.webhooks.add({ ...refusing([1_000]), fetch: () => response });
  mock.webhooks.emit('order.paid', {});
  const now = mock.clock.now();
  expect((await control('POST', 'webhooks/flush?timeoutMs=20')).status).toBe(409);
  respond(new Response(null, { status: 503 }));
  await eventually(() => expect(mock.webhooks.deliveries[0]?.attempts).toHaveLength(1));
  expect(await control('POST', 'clock', { advance: 0 })).toMatchObject({ status: 200 });
  expect([mock.clock.now(), mock.webhooks.deliveries[0]?.state]).toEqual([now, 'pending']);
});

test('a flush over HTTP of a world that is deleted meanwhile does not claim that all deliveries ended', async () => {
  await using service = await start();
  const world = await makeWorld(service.server);
  const hanging = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void hanging.close());
  await once(hanging, 'listening');
  const { port } = hanging.address() as AddressInfo;
  const endpoint = {
    url: `http://127.0.0.1:${port}`,
    secret: 'secret',
    signature: { header: 'x-signature' },
  };
  await world.control('POST', 'webhooks/endpoints', endpoint);
  const attempted = once(hanging, 'request');
  await world.control('POST', 'webhooks/emit', { event: 'order.paid', data: {} });
  const flushed = world.control('POST', 'webhooks/flush');
  await attempted;
  await service.control('DELETE', `worlds/${world.id}`);
  expect(await flushed).toMatchObject({ status: 404, code: 'WORLD_NOT_FOUND' });
});

test.each([0, 300_001, 1.5])('a flush over HTTP of %d ms is refused', async (timeoutMs) => {
  await using service = await start();
  const { status, error } = await service.control('POST', `webhooks/flush?timeoutMs=${timeoutMs}`);
  expect([status, error]).toEqual([400, expect.stringContaining('query.timeoutMs must be ')]);
});

test('retries that lead beyond the calendar are made at its end, so a flush ends', async () => {
  const mock = createMock();
  await mock.clock.set('9999-12-31T23:59:00Z');
  mock.webhooks.add(refusing([1_000, 120_000, 600_000]));
  mock.webhooks.emit('order.paid', {});
  await mock.webhooks.flush();
  const [delivery] = mock.webhooks.deliveries;
  expect(delivery?.state).toBe('failed');
  expect(delivery?.attempts.map(({ at }) => new Date(at).toISOString())).toEqual([
    '9999-12-31T23:59:00.000Z',
    '9999-12-31T23:59:01.000Z',
    LATEST,
    LATEST,
  ]);
});

test('a delivery that is late beyond the calendar arrives at its end', async () => {
  const mock = createMock();
  await mock.clock.set('9999-12-31T23:59:00Z');
  const { events, ...endpoint } = receiver();
  mock.webhooks.add(endpoint);
  mock.webhooks.deliveryFaults.once({ delayMs: 3_600_000 });
  mock.webhooks.emit('order.paid', {});
  await mock.webhooks.flush();
  expect([events.length, new Date(mock.clock.now()).toISOString()]).toEqual([1, LATEST]);
});

test('an attempt without a response near the end of the calendar fails too', async () => {
  const mock = createMock();
  await mock.clock.set('9999-12-31T23:59:59Z');
  mock.webhooks.add({ ...refusing([]), fetch: () => new Promise(() => {}) });
  mock.webhooks.emit('order.paid', {});
  await mock.webhooks.flush();
  expect(mock.webhooks.deliveries[0]).toMatchObject({
    state: 'failed',
    attempts: [{ error: 'TimeoutError: No response within 10000 ms' }],
  });
});
