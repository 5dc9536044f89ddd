import { eventually, listen } from '@confab/internal/test-support';
import { expect, test } from 'vitest';
import { createMock } from '../../src/index.ts';
import { delivered, keeper } from '../support/receiver.ts';
import { makeWorld, start } from '../support/serving.ts';

const LATEST = '9999-12-31T23:59:59.999Z';

/** A receiver that refuses everything. */
const refusing = (retries: readonly number[]) => ({ ...keeper(503).endpoint, retries });

test('a flush over HTTP on the system clock ends after timeoutMs, and says when the next attempt is due', async () => {
  const { mock, control } = await start({}, { clock: 'system' });
  mock.webhooks.add(refusing([600_000]));
  mock.webhooks.emit('order.paid', {});
  await eventually(() => expect(mock.webhooks.deliveries[0]?.attempts).toHaveLength(1));
  const before = Date.now();
  const { status, code, error } = await control('POST', 'webhooks/flush?timeoutMs=50');
  expect([status, code]).toEqual([409, 'DELIVERIES_PENDING']);
  const said =
    /^1 delivery is still pending after 50 ms\. The next attempt is due at (\S+)\. Wait longer/.exec(error);
  expect(Date.parse(said?.[1] ?? '') - before).toBeGreaterThan(590_000);
  expect(mock.webhooks.deliveries).toMatchObject([{ state: 'pending' }]);
});

test('a flush over HTTP says that a receiver is silent, and does not move the clock after it has ended', async () => {
  const { mock, control } = await start();
  const { promise, resolve } = Promise.withResolvers<Response>();
  mock.webhooks.add({ ...refusing([1_000]), fetch: () => promise });
  mock.webhooks.emit('order.paid', {});
  const now = mock.clock.now();
  const { status, error } = await control('POST', 'webhooks/flush?timeoutMs=20');
  expect(status).toBe(409);
  expect(error).toMatch(/^1 delivery is still pending after 20 ms\. An attempt is in progress/);
  resolve(new Response(null, { status: 503 }));
  await eventually(() => expect(mock.webhooks.deliveries[0]?.attempts).toHaveLength(1));
  await control('POST', 'clock', { advance: 0 });
  expect([mock.clock.now(), mock.webhooks.deliveries[0]?.state]).toEqual([now, 'pending']);
});

test('a flush over HTTP returns 404 if its world is deleted in the meantime', async () => {
  const service = await start();
  const world = await makeWorld(service.server);
  const attempted = Promise.withResolvers<void>();
  const url = await listen(() => attempted.resolve());
  await world.control('POST', 'webhooks/endpoints', { url, secret: 'secret' });
  await world.control('POST', 'webhooks/emit', { event: 'order.paid', data: {} });
  const flushed = world.control('POST', 'webhooks/flush');
  await attempted.promise;
  await service.control('DELETE', `worlds/${world.id}`);
  expect(await flushed).toMatchObject({ status: 404, code: 'WORLD_NOT_FOUND' });
});

test('flush() ends although retries and delays would lead beyond the year 9999', async () => {
  const mock = createMock();
  await mock.clock.set('9999-12-31T23:59:00Z');
  const [refused] = await delivered(mock, refusing([1_000, 120_000, 600_000]));
  expect(refused?.attempts.map(({ at }) => new Date(at).toISOString())).toEqual([
    ...['9999-12-31T23:59:00.000Z', '9999-12-31T23:59:01.000Z', LATEST, LATEST],
  ]);
  mock.reset();
  await mock.clock.set('9999-12-31T23:59:59Z');
  mock.webhooks.deliveryFaults.once({ delayMs: 3_600_000 });
  const [silent] = await delivered(mock, { retries: [], timeout: 50, fetch: () => new Promise(() => {}) });
  expect(silent).toMatchObject({
    state: 'failed',
    attempts: [{ at: Date.parse(LATEST), error: 'TimeoutError: No response within 50 ms' }],
  });
});
