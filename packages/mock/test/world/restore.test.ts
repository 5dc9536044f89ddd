import { eventually, turns } from '@confab/internal/test-support';
import { expect, test } from 'vitest';
import type { Fault } from '../../src/index.ts';
import type { Opened } from '../support/hosts.ts';
import { hosts, open } from '../support/hosts.ts';
import { movedAlone } from '../support/real-time.ts';

const PHONE = '+5511987654321';
const create = { body: { phone: PHONE } };

test('a request in progress when the mock is restored fails, changes nothing and is not logged', async () => {
  const { mock, send } = open({ latency: 1_000, rateLimit: 1 });
  const creating = send('leads.create', create);
  creating.catch(() => {});
  mock.reset();
  const start = mock.clock.now();
  await expect(creating).rejects.toThrow(TypeError);
  expect([mock.leads.count(), mock.requests.length]).toEqual([0, 0]);
  // Nor does it count in the window of its key.
  expect((await send('leads.create', create)).status).toBe(201);
  expect(mock.clock.now() - start).toBeLessThanOrEqual(2_000);
});

test('a reply from an agent after a restore is dropped', async () => {
  let answer = (_: string) => {};
  let asked = () => {};
  const thinking = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const { mock, send } = open({
    agents: {
      respond: () => {
        asked();
        return new Promise((resolve) => {
          answer = resolve;
        });
      },
    },
  });
  const invoking = send('agents.invoke', { id: mock.agents.find()[0]!.id, body: { userMessage: 'Hi' } });
  await thinking;
  mock.reset();
  answer('too late');
  await expect(invoking).rejects.toThrow(TypeError);
  expect(mock.requests.length).toBe(0);
});

for (const host of hosts) {
  test.each(['hang', 'stall'] as const)(
    `a %s ends when the mock is restored, and time stands still again (${host.name})`,
    async (network) => {
      await using service = await host.open();
      const { mock, send } = service;
      mock.faults.once('leads.list', { network });
      const left = send('leads.list');
      left.catch(() => {});
      await eventually(() => expect(mock.requests.length).toBe(1));
      if (network === 'stall') {
        await turns(20);
      }
      mock.reset();
      await expect(left).rejects.toThrow();
      expect(await movedAlone(mock)).toBe(0);
    },
  );
}

test('a delivery that is being signed when the mock is restored is not sent', async () => {
  const { mock } = open();
  const { calls, endpoint } = receiver([204]);
  mock.webhooks.add(endpoint);
  for (let nth = 0; nth < 20; nth += 1) {
    mock.webhooks.emit('test', { nth });
  }
  mock.reset();
  await turns(20);
  await mock.clock.advance(1_000);
  expect([calls.length, mock.webhooks.deliveries.length]).toEqual([0, 0]);
});

test('a request from before a restore uses up nothing afterwards: no fault, no time, no random number', async () => {
  const options = { latency: { min: 0, max: 1_000 } };
  const latencyOf = async ({ mock, send }: Opened) => {
    const began = mock.clock.now();
    await send('agents.list');
    return mock.clock.now() - began;
  };
  const fresh = await latencyOf(open(options));
  const service = open(options);
  const { mock, send } = service;
  const posting = send('leads.create', create);
  posting.catch(() => {});
  let decide = (_: Fault) => {};
  const asked = new Promise<void>((arrived) => {
    mock.faults.once('agents.list', () => {
      arrived();
      return new Promise<Fault>((resolve) => {
        decide = resolve;
      });
    });
  });
  const held = send('agents.list');
  held.catch(() => {});
  await asked;
  mock.reset();
  const start = mock.clock.now();
  mock.faults.once('leads.create', { status: 503 });
  decide({ status: 500, probability: 0.5 });
  await expect(posting).rejects.toThrow(TypeError);
  await expect(held).rejects.toThrow(TypeError);
  expect(mock.clock.now()).toBe(start);
  expect(await latencyOf(service)).toBe(fresh);
  expect((await send('leads.create', create)).status).toBe(503);
});

test('a fault function that restores the mock changes nothing in it', async () => {
  const { mock, send } = open();
  mock.faults.once('leads.list', () => {
    mock.restore(before);
    return undefined;
  });
  mock.faults.once('agents.list', { status: 503 });
  const before = mock.snapshot();
  const listing = send('leads.list');
  await expect(listing).rejects.toThrow(TypeError);
  expect((await send('agents.list')).status).toBe(503);
  await expect(send('leads.list')).rejects.toThrow(TypeError);
});

const receiver = (statuses: number[]) => {
  const calls: number[] = [];
  return {
    calls,
    endpoint: {
      url: 'https://receiver.test',
      secret: 'whsec_0123456789',
      retries: [1_000, 5_000],
      fetch: async () => {
        calls.push(calls.length);
        return new Response(null, { status: statuses[Math.min(calls.length, statuses.length) - 1]! });
      },
    },
  };
};

test('a delivery between two attempts continues from there each time its snapshot is restored', async () => {
  const { mock } = open();
  const { calls, endpoint } = receiver([503]);
  mock.webhooks.add(endpoint);
  await mock.inbound({ phone: PHONE, body: 'Hi' });
  await eventually(() => expect(mock.webhooks.deliveries[0]?.attempts).toHaveLength(1));
  const start = mock.clock.now();
  const before = mock.snapshot();
  for (const run of [1, 2]) {
    mock.restore(before);
    await mock.webhooks.flush();
    const [delivery] = mock.webhooks.deliveries;
    expect(delivery?.state).toBe('failed');
    expect(delivery?.attempts.map(({ at }) => at - start)).toEqual([0, 1_000, 6_000]);
    expect(calls).toHaveLength(1 + 2 * run);
  }
});

test('endpoints, deliveries and delivery faults are restored with a snapshot, and removed with it', async () => {
  const { mock } = open();
  const { calls, endpoint } = receiver([204]);
  const empty = mock.snapshot();
  mock.webhooks.add(endpoint);
  mock.webhooks.deliveryFaults.once({ copies: 3 });
  const planned = mock.snapshot();
  mock.webhooks.emit('test', {});
  await mock.webhooks.flush();
  expect(calls).toHaveLength(3);
  mock.webhooks.emit('test', {});
  await mock.webhooks.flush();
  expect([calls.length, mock.webhooks.deliveries.length]).toEqual([4, 4]);
  mock.restore(planned);
  mock.webhooks.emit('test', {});
  await mock.webhooks.flush();
  expect([calls.length, mock.webhooks.deliveries.length]).toEqual([7, 3]);
  mock.restore(empty);
  mock.webhooks.emit('test', {});
  await mock.webhooks.flush();
  expect([calls.length, mock.webhooks.deliveries.length]).toEqual([7, 0]);
});
