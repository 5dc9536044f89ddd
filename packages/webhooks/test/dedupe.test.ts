import { createHash } from 'node:crypto';
import { eventually } from '@confab/internal/test-support';
import type { DedupeOptions, DedupeStore, VerifiedDelivery } from '@confab/webhooks';
import { createMemoryDedupeStore, createWebhooks } from '@confab/webhooks';
import { expect, test, vi } from 'vitest';
import { createReceiver, message, requestWith, secret, signature, standard } from './support/receiver.ts';

const textOf = (body: string) => ({ ...message, data: { ...message.data, body } });
const byBody = ({ data }: VerifiedDelivery) => (data as { body: string }).body;
const byHeader = ({ headers }: VerifiedDelivery) => headers.get('x-delivery-id') ?? undefined;

/** A receiver that uses the text of a delivery as its dedupe key. */
const receiver = (dedupe: DedupeOptions = {}, now?: () => number) => {
  const { webhooks, handled, errors, deliver } = createReceiver({ dedupe: { key: byBody, ...dedupe }, now });
  return { webhooks, handled, errors, deliver: (body: string) => deliver(textOf(body)) };
};

test.each<[title: string, dedupe: DedupeOptions | undefined]>([
  ['without dedupe', undefined],
  ['without a key', { key: () => undefined }],
])('%s, a redelivery runs the handler again', async (_, dedupe) => {
  const { deliver, handled } = createReceiver({ dedupe });
  await deliver();
  await deliver();
  expect(handled).toHaveLength(2);
});

test('a redelivery gets a 409 while the first delivery runs, and a 200 afterward', async () => {
  const { webhooks, deliver, handled, errors } = receiver();
  const started = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  webhooks.on('message.created', async () => {
    started.resolve();
    await finish.promise;
  });
  const first = deliver('a');
  await started.promise;
  expect(await deliver('a')).toBe(409);
  finish.resolve();
  expect([await first, await deliver('a')]).toEqual([200, 200]);
  expect([handled.length, errors]).toEqual([1, []]);
});

test('a failed handler releases the key, so the redelivery runs the handlers again', async () => {
  const { webhooks, deliver, handled } = receiver();
  webhooks.onAny(vi.fn().mockRejectedValueOnce(new Error('database down')));
  expect([await deliver('a'), await deliver('a'), await deliver('a')]).toEqual([500, 200, 200]);
  expect(handled).toHaveLength(2);
});

test.each<[key: unknown, shown: string]>([
  ['', '""'],
  [null, 'null'],
  [Promise.resolve('a'), 'a Promise: await it'],
])('a dedupe key of %o causes a 500, and no handler runs', async (key, shown) => {
  const { deliver, handled, errors } = receiver({ key: () => key as string });
  expect([await deliver('a'), handled]).toEqual([500, []]);
  const problem = `dedupe.key must return undefined or a non-empty string, got ${shown}. `;
  expect(errors).toMatchObject([{ code: 'RECEIVER_FAILED', message: expect.stringContaining(problem) }]);
});

test('dedupe.key receives the delivery, and the store its key, a dash and the SHA-256 of the body', async () => {
  const key = vi.fn((_: VerifiedDelivery) => 'my_key');
  const claim = vi.fn<DedupeStore['claim']>(() => 'claimed');
  const { deliver } = createReceiver({ dedupe: { key, store: { ...createMemoryDedupeStore(), claim } } });
  await deliver(message, { headers: { 'x-delivery-id': '7' } });
  const body = Buffer.from(JSON.stringify(message));
  const delivery = key.mock.calls[0]?.[0];
  expect(delivery).toMatchObject({ ...message, id: undefined });
  expect([delivery?.headers.get('x-delivery-id'), Buffer.from(delivery?.body ?? '')]).toEqual(['7', body]);
  expect(claim.mock.calls[0]?.[0]).toBe(`my_key-${createHash('sha256').update(body).digest('hex')}`);
});

test('an event without a handler and a forged delivery claim no key', async () => {
  const claim = vi.fn<DedupeStore['claim']>(() => 'claimed');
  const dedupe = { key: byBody, store: { ...createMemoryDedupeStore(), claim } };
  const idle = createWebhooks({ secret, signature, dedupe });
  expect((await idle.fetch(await requestWith())).status).toBe(200);
  expect(await createReceiver({ dedupe }).deliver(message, { secret: 'guess' })).toBe(401);
  expect(claim).not.toHaveBeenCalled();
});

test('a run blocks redeliveries for leaseSeconds, and does not release a later claim when it ends', async () => {
  let now = 0;
  const { webhooks, deliver } = receiver({ leaseSeconds: 5 }, () => now);
  const runs: PromiseWithResolvers<void>[] = [];
  webhooks.on('message.created', () => {
    const run = Promise.withResolvers<void>();
    runs.push(run);
    return run.promise;
  });
  const start = async () => {
    const count = runs.length;
    const delivered = deliver('a');
    await eventually(() => expect(runs).toHaveLength(count + 1));
    return { delivered };
  };
  const first = await start();
  now = 4_999;
  expect(await deliver('a')).toBe(409);
  now = 5_000;
  const second = await start();
  runs[0]?.reject(new Error('too late'));
  expect(await first.delivered).toBe(500);
  expect(await deliver('a')).toBe(409);
  runs[1]?.resolve();
  expect(await second.delivered).toBe(200);
});

// Once the handlers have succeeded, a failure of the store must not make the sender retry.
test.each<[method: keyof DedupeStore, status: number, reported: string[]]>([
  ['complete', 200, ['RECEIVER_FAILED: dedupe.store.complete() failed: redeliveries run again.']],
  [
    'release',
    500,
    [
      'RECEIVER_FAILED: dedupe.store.release() failed: redeliveries are refused for 5000 ms.',
      'HANDLER_FAILED: 1 of 2 handlers for',
    ],
  ],
])("when the store's %s() fails, the sender gets a %i", async (method, status, reported) => {
  const down = new Error('store down');
  const store = { ...createMemoryDedupeStore(), [method]: () => Promise.reject(down) };
  const { webhooks, deliver, handled, errors } = receiver({ store, leaseSeconds: 5 });
  if (method === 'release') {
    webhooks.onAny(() => Promise.reject(down));
  }
  expect([await deliver('a'), handled.length]).toEqual([status, 1]);
  const lines = errors.map(({ code, message }) => `${code}: ${message}`);
  expect(lines).toEqual(reported.map((text) => expect.stringContaining(text)));
  expect(errors.map(({ cause }) => cause)).toEqual(reported.map(() => down));
});

test('a captured delivery that is sent under the ids of genuine deliveries does not block them', async () => {
  const { deliver, handled } = createReceiver({ dedupe: { key: byHeader } });
  const send = (id: string, body: string) => deliver(textOf(body), { headers: { 'x-delivery-id': id } });
  for (const id of ['1', '2', '3']) {
    await send(id, 'captured');
  }
  handled.length = 0;
  expect([await send('2', 'one'), await send('3', 'two'), await send('3', 'two')]).toEqual([200, 200, 200]);
  expect(handled).toMatchObject([{ data: { body: 'one' } }, { data: { body: 'two' } }]);
});

test('without dedupe.key, deliveries with the same signed id run once, whatever their timestamp and body', async () => {
  const claim = vi.fn<DedupeStore['claim']>();
  const memory = createMemoryDedupeStore();
  const store = { ...memory, claim: claim.mockImplementation((key, how) => memory.claim(key, how)) };
  const { deliver, handled } = createReceiver({ ...standard, dedupe: { store } });
  const now = Math.floor(Date.now() / 1000);
  expect(await deliver(textOf('a'), { ...standard, id: 'msg_1' })).toBe(200);
  expect(await deliver(textOf('a'), { ...standard, id: 'msg_1', timestamp: now + 60 })).toBe(200);
  expect(await deliver(textOf('b'), { ...standard, id: 'msg_1' })).toBe(200);
  expect(await deliver(textOf('a'), { ...standard, id: 'msg_2' })).toBe(200);
  expect(handled).toHaveLength(2);
  expect(claim.mock.calls.map(([key]) => key)).toEqual(['msg_1', 'msg_1', 'msg_1', 'msg_2']);
});

test('dedupe.key takes precedence over the signed id, and receives that id', async () => {
  const claim = vi.fn<DedupeStore['claim']>(() => 'claimed');
  const store = { ...createMemoryDedupeStore(), claim };
  const { deliver } = createReceiver({ ...standard, dedupe: { key: ({ id }) => `team-${id}`, store } });
  await deliver(message, { ...standard, id: 'msg_1' });
  expect(claim.mock.calls[0]?.[0]).toMatch(/^team-msg_1-[0-9a-f]{64}$/);
});

/** A memory store whose clock the test sets. */
const storeOf = (maxKeys: number) => {
  const clock = { now: 0 };
  const store = createMemoryDedupeStore({ maxKeys, now: () => clock.now });
  const claim = (token: string) => ({ token, leaseMs: 1000, ttlMs: 9000 });
  return {
    clock,
    claim: (key: string, token: string) => store.claim(key, claim(token)),
    complete: (...keys: string[]) => keys.map((key) => store.complete(key, claim(key))),
    release: (key: string, token: string) => store.release(key, claim(token)),
  };
};

test('a full memory store forgets the key that was completed first, and never a running key', () => {
  const { claim, complete, release } = storeOf(4);
  expect(claim('running', '1')).toBe('claimed');
  complete('a', 'b', 'c', 'a');
  expect(claim('d', '1')).toBe('claimed');
  expect([claim('running', '2'), claim('a', '2'), claim('c', '2')]).toEqual([
    'running',
    'completed',
    'completed',
  ]);
  release('d', '1');
  expect(claim('b', '2')).toBe('claimed');
});

test('a memory store full of running keys returns "running" for a new key until a lease ends', () => {
  const { clock, claim, release } = storeOf(2);
  expect([claim('a', '1'), claim('b', '1'), claim('c', '1')]).toEqual(['claimed', 'claimed', 'running']);
  clock.now = 1000;
  expect(claim('c', '1')).toBe('claimed');
  // The key was forgotten, and its run ends.
  release('a', '1');
});

test('in a memory store, a key that is claimed again gets a new lease, and expired keys make room', () => {
  const { clock, claim } = storeOf(2);
  expect(claim('a', '1')).toBe('claimed');
  clock.now = 500;
  expect(claim('b', '1')).toBe('claimed');
  clock.now = 1000;
  expect(claim('a', '2')).toBe('claimed');
  clock.now = 1500;
  expect([claim('c', '1'), claim('a', '3')]).toEqual(['claimed', 'running']);
});

test('in a full memory store, a key that is claimed again takes no room from a completed key', () => {
  const { clock, claim, complete } = storeOf(2);
  complete('a');
  claim('b', '1');
  clock.now = 1000;
  expect([claim('b', '2'), claim('a', '1')]).toEqual(['claimed', 'completed']);
});
