import { createClient } from '@confab/client';
import { eventually, turns } from '@confab/internal/test-support';
import { expect, test } from 'vitest';
import { hold } from '../support/hold.ts';
import type { Opened } from '../support/hosts.ts';
import { hosts, open, PHONE } from '../support/hosts.ts';
import { movedAlone } from '../support/real-time.ts';
import { delivered, receiver } from '../support/receiver.ts';

const create = { body: { phone: PHONE } };

test('reset() fails the requests in progress, which leave no row, log entry, time or random number behind', async () => {
  const latencyOf = async ({ mock, send }: Opened) => {
    const began = mock.clock.now();
    await send('agents.list');
    return mock.clock.now() - began;
  };
  const options = { latency: { min: 0, max: 1_000 }, rateLimit: 2 };
  const fresh = await latencyOf(open(options));
  const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()];
  const respond = () => {
    asked.resolve();
    return answer.promise;
  };
  const service = open({ ...options, agents: { respond } });
  const { mock, send } = service;
  const invoking = send('agents.invoke', { id: mock.agents.find()[0]!.id, body: { userMessage: 'Hi' } });
  await asked.promise;
  const { arrived, release } = hold(mock, 'agents.list');
  const held = send('agents.list');
  await arrived;
  const outcomes = Promise.allSettled([invoking, held, send('leads.create', create)]);
  mock.reset();
  const start = mock.clock.now();
  mock.faults.once('leads.create', { status: 503 });
  answer.resolve('too late');
  release({ status: 500, probability: 0.5 });
  const failed = { status: 'rejected', reason: expect.any(TypeError) };
  expect(await outcomes).toEqual([failed, failed, failed]);
  expect([mock.clock.now(), mock.leads.count(), mock.requests.length]).toEqual([start, 0, 0]);
  expect(await latencyOf(service)).toBe(fresh);
  // The rate-limit window does not count them either.
  for (const status of [503, 201, 429]) {
    expect((await send('leads.create', create)).status).toBe(status);
  }
});

test.each(hosts.flatMap((host) => (['hang', 'stall'] as const).map((network) => ({ ...host, network }))))(
  'reset() ends a $network, through $name',
  async ({ open: openHost, network }) => {
    const { mock, send } = await openHost();
    mock.faults.once('leads.list', { network });
    const left = send('leads.list');
    left.catch(() => {});
    await eventually(() => expect(mock.requests.length).toBe(1));
    // The first half of a stalled response must arrive first.
    await turns(20);
    mock.reset();
    await expect(left).rejects.toThrow();
    expect(await movedAlone(mock)).toBe(0);
  },
);

test('reset() abandons pending deliveries', async () => {
  const { mock } = open();
  const { events, endpoint } = receiver(500);
  mock.webhooks.add(endpoint);
  mock.webhooks.emit('refused', {});
  await eventually(() => expect(events).toHaveLength(1));
  mock.webhooks.emit('being signed', {});
  mock.reset();
  await turns(20);
  await mock.clock.advance(3_600_000);
  expect([events.length, mock.webhooks.deliveries]).toEqual([1, []]);
});

test('each restore() of a snapshot resumes its deliveries after the attempts that the snapshot contains', async () => {
  const { mock } = open();
  const { events, endpoint } = receiver(503);
  mock.webhooks.add({ ...endpoint, retries: [1_000, 5_000] });
  mock.webhooks.emit('test', {});
  await eventually(() => expect(mock.webhooks.deliveries[0]?.attempts).toHaveLength(1));
  const start = mock.clock.now();
  const before = mock.snapshot();
  for (const run of [1, 2]) {
    mock.restore(before);
    await mock.webhooks.flush();
    const [delivery] = mock.webhooks.deliveries;
    expect(delivery?.attempts.map(({ at }) => at - start)).toEqual([0, 1_000, 6_000]);
    expect(events).toHaveLength(1 + 2 * run);
  }
});

test('restore() restores endpoints, deliveries and delivery faults, or their absence', async () => {
  const { mock } = open();
  const { events, endpoint } = receiver();
  const empty = mock.snapshot();
  mock.webhooks.add(endpoint);
  mock.webhooks.deliveryFaults.once({ copies: 3 });
  const planned = mock.snapshot();
  expect(await delivered(mock)).toHaveLength(3);
  expect(await delivered(mock)).toHaveLength(4);
  mock.restore(planned);
  expect(await delivered(mock)).toHaveLength(3);
  mock.restore(empty);
  expect(await delivered(mock)).toEqual([]);
  expect(events).toHaveLength(7);
});

test.each(['reset', 'restore'] as const)('%s() ends the pause of a client after a 429', async (how) => {
  const { mock, clientOptions } = open({ rateLimit: 3 });
  const before = mock.snapshot();
  const start = mock.clock.now();
  const confab = createClient(clientOptions);
  const rounds: number[] = [];
  for (let round = 0; round < 4; round += 1) {
    for (let call = 0; call < 5; call += 1) {
      await confab.leads.list();
    }
    const date = new Date(mock.clock.now() + 30_000).toUTCString();
    mock.faults.once('agents.list', { status: 429, headers: { 'retry-after': date } });
    await confab.agents.list();
    rounds.push(mock.clock.now() - start);
    mock.faults.once('agents.list', { status: 429, headers: { 'retry-after': '50' } });
    await confab.agents.list({ retry: { maxRetryAfter: 1_000 } }).catch(() => {});
    expect(confab.rateLimit.pausedUntil).toBeDefined();
    mock[how](before);
    expect(confab.rateLimit.pausedUntil).toBeUndefined();
  }
  expect(rounds).toEqual(Array(4).fill(90_000));
});
