import { createClient } from '@confab/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { open } from '../support/hosts.ts';
import { keeper, secret } from '../support/receiver.ts';

/** Replaces every timer and clock, except that of microtasks, which the test runner needs. */
const fakeTimers = () => {
  vi.useFakeTimers({
    toFake: [
      ...(['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate'] as const),
      ...(['clearImmediate', 'Date', 'performance', 'hrtime'] as const),
    ],
  });
  onTestFinished(() => void vi.useRealTimers());
};

test('under fake timers, advance() ends although a receiver is silent, which is called only once', async () => {
  const { mock } = open();
  const { promise, resolve } = Promise.withResolvers<Response>();
  const fetch = vi.fn(() => promise);
  fakeTimers();
  mock.webhooks.add({ url: 'https://receiver.test', secret, fetch });
  mock.webhooks.emit('test', {});
  const began = mock.clock.now();
  for (const moved of [600_000, 1_200_000]) {
    await mock.clock.advance(600_000);
    expect(mock.clock.now() - began).toBe(moved);
    expect(mock.webhooks.deliveries).toMatchObject([{ state: 'pending', attempts: [] }]);
  }
  resolve(new Response());
  await mock.webhooks.flush();
  expect(mock.webhooks.deliveries).toMatchObject([{ state: 'delivered', attempts: [{ status: 200 }] }]);
  expect(fetch).toHaveBeenCalledOnce();
});

test('under fake timers, a polling program, its client and a mock on the system clock share one time', async () => {
  vi.useFakeTimers({ now: new Date('2030-01-01T00:00:00Z') });
  onTestFinished(() => void vi.useRealTimers());
  // Without a delay, a response needs no time.
  expect((await open({ clock: 'system' }).send('agents.list')).status).toBe(200);
  const { mock } = open({ clock: 'system', rateLimit: { requests: 2, perMs: 60_000 } });
  const confab = createClient(mock.clientOptions);
  mock.webhooks.add({ ...keeper(500, 200).endpoint, retries: [30_000] });
  mock.webhooks.emit('test', {});
  mock.faults.once('leads.list', { delayMs: 3_000 });
  const polled: string[] = [];
  const poll = async () => {
    await confab.leads.list();
    polled.push(new Date().toISOString().slice(14, 19));
  };
  const timer = setInterval(() => void poll(), 10_000);
  await vi.advanceTimersByTimeAsync(75_000);
  clearInterval(timer);

  expect(polled).toEqual(['00:13', '00:20', '01:13']);
  const seconds = (at: number) => (at - Date.parse('2030-01-01T00:00:00Z')) / 1000;
  expect(mock.requests.all.map(({ at, status, durationMs }) => [seconds(at), status, durationMs])).toEqual([
    [10, 200, 3_000],
    [20, 200, 0],
    [30, 429, 0],
    [73, 200, 0],
  ]);
  expect(mock.webhooks.deliveries[0]?.attempts.map(({ at }) => seconds(at))).toEqual([0, 30]);
  await expect(mock.clock.advance(1)).rejects.toThrow('If the test uses fake timers, advance them instead');
});
