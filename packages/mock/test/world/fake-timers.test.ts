import { expect, onTestFinished, test, vi } from 'vitest';
import { open } from '../support/hosts.ts';
import { secret } from '../support/receiver.ts';

/** Replaces every timer and clock but those of microtasks, on which the messages of the runner depend. */
const fakeTimers = () => {
  vi.useFakeTimers({
    toFake: [
      ...(['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate'] as const),
      ...(['clearImmediate', 'Date', 'performance', 'hrtime'] as const),
    ],
  });
  onTestFinished(() => void vi.useRealTimers());
};

test('under fake timers, a move of the clock ends although a receiver is silent, which is called once', async () => {
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

test('fake timers move only the dates of a mock on the system clock, and so its window, but not its waits', async () => {
  vi.useFakeTimers({ now: new Date('2030-01-01T00:00:00Z') });
  onTestFinished(() => void vi.useRealTimers());
  const { mock, send } = open({ clock: 'system', rateLimit: 1 });
  expect([(await send('agents.list')).status, (await send('agents.list')).status]).toEqual([200, 429]);
  vi.advanceTimersByTime(61_000);
  expect(mock.clock.now()).toBe(Date.parse('2030-01-01T00:01:01Z'));
  mock.faults.once('agents.list', { delayMs: 20 });
  expect((await send('agents.list')).status).toBe(200);
});
