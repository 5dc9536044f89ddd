import { createHash } from 'node:crypto';
import type { DedupeOptions, DedupeStore } from '@confab/webhooks';
import { createMemoryDedupeStore, createWebhooks, signedRequest } from '@confab/webhooks';
import { expect, test } from 'vitest';

const secret = 'a secret of the test';
const signature = { header: 'x-sig' };
const message = (body: string) => ({
  event: 'message.created',
  data: { conversationId: 'c1', channel: 'web', body },
});

const byBody = ({ data }: { data: unknown }) => (data as { body: string }).body;

const receiver = (dedupe: Partial<DedupeOptions> = {}, now?: () => number) => {
  const webhooks = createWebhooks({
    secret,
    signature,
    dedupe: { key: byBody, ...dedupe },
    ...(now && { now }),
  });
  const deliver = async (body: string) => {
    const response = await webhooks.fetch(
      await signedRequest('https://r.test/', message(body), { secret, signature }),
    );
    return { status: response.status, json: await response.json() };
  };
  return { webhooks, deliver };
};

test('a redelivery gets a 200 and does not run the handler', async () => {
  const { webhooks, deliver } = receiver();
  const seen: unknown[] = [];
  webhooks.on('message.created', ({ data }) => seen.push(data.body));
  expect(await deliver('a')).toEqual({ status: 200, json: { ok: true } });
  expect(await deliver('a')).toEqual({ status: 200, json: { ok: true } });
  expect(await deliver('b')).toEqual({ status: 200, json: { ok: true } });
  expect(seen).toEqual(['a', 'b']);
});

test('without dedupe, a redelivery runs the handler again', async () => {
  const webhooks = createWebhooks({ secret, signature });
  let runs = 0;
  webhooks.on('message.created', () => {
    runs += 1;
  });
  for (let time = 0; time < 2; time += 1) {
    await webhooks.fetch(await signedRequest('https://r.test/', message('a'), { secret, signature }));
  }
  expect(runs).toBe(2);
});

test('a redelivery gets a 409 while the first delivery runs, and a 200 afterwards', async () => {
  const { webhooks, deliver } = receiver();
  const started = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  let runs = 0;
  webhooks.on('message.created', async () => {
    runs += 1;
    started.resolve();
    await finish.promise;
  });
  const first = deliver('a');
  await started.promise;
  expect(await deliver('a')).toEqual({ status: 409, json: { error: 'STILL_RUNNING' } });
  finish.resolve();
  expect((await first).status).toBe(200);
  expect((await deliver('a')).status).toBe(200);
  expect(runs).toBe(1);
});

test('only one of a hundred simultaneous deliveries runs', async () => {
  const { webhooks, deliver } = receiver();
  let runs = 0;
  webhooks.on('message.created', async () => {
    runs += 1;
    await new Promise(setImmediate);
  });
  const responses = await Promise.all(Array.from({ length: 100 }, () => deliver('a')));
  expect(runs).toBe(1);
  expect(responses.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(1);
  for (const { status } of responses) {
    expect([200, 409]).toContain(status);
  }
});

test('a failed run releases its key, and the redelivery runs', async () => {
  const { webhooks, deliver } = receiver();
  let runs = 0;
  webhooks.on('message.created', () => {
    runs += 1;
    if (runs === 1) {
      throw new Error('database down');
    }
  });
  expect((await deliver('a')).status).toBe(500);
  expect((await deliver('a')).status).toBe(200);
  expect((await deliver('a')).status).toBe(200);
  expect(runs).toBe(2);
});

test('a delivery whose key is undefined always runs', async () => {
  const { webhooks, deliver } = receiver({ key: () => undefined });
  let runs = 0;
  webhooks.on('message.created', () => {
    runs += 1;
  });
  await deliver('a');
  await deliver('a');
  expect(runs).toBe(2);
});

test.each<[key: unknown, shown: string]>([
  ['', '""'],
  [5, 'a number'],
  [null, 'null'],
  [{}, 'an object'],
  [Promise.resolve('a'), 'an object'],
])('a key of %o causes a 500, and nothing runs', async (key, shown) => {
  const { webhooks, deliver } = receiver({ key: () => key as string });
  const seen: unknown[] = [];
  webhooks.on('message.created', () => seen.push('ran'));
  webhooks.onError(({ code, message }) => seen.push(code, message));
  expect((await deliver('a')).status).toBe(500);
  expect(seen).toEqual([
    'HANDLER_FAILED',
    expect.stringContaining(`dedupe.key must return undefined or a non-empty string, got ${shown}. `),
  ]);
});

test('dedupe.key receives the event, its data, the headers and the raw body', async () => {
  const seen: unknown[] = [];
  const { webhooks, deliver } = receiver({
    key: ({ event, data, headers, body }) => {
      seen.push(event, data, headers.get('content-type'), Buffer.from(body).toString());
      return 'key';
    },
  });
  webhooks.on('message.created', () => {});
  await deliver('a');
  const { event, data } = message('a');
  expect(seen).toEqual([event, data, 'application/json', JSON.stringify(message('a'))]);
});

test('an event without a handler claims no key, so a handler added later runs for the redelivery', async () => {
  const { webhooks, deliver } = receiver();
  expect((await deliver('a')).status).toBe(200);
  let runs = 0;
  webhooks.on('message.created', () => {
    runs += 1;
  });
  await deliver('a');
  expect(runs).toBe(1);
});

test('a forged delivery claims no key', async () => {
  const { webhooks, deliver } = receiver();
  let runs = 0;
  webhooks.on('message.created', () => {
    runs += 1;
  });
  const forged = await signedRequest('https://r.test/', message('a'), { secret: 'guess', signature });
  expect((await webhooks.fetch(forged)).status).toBe(401);
  await deliver('a');
  expect(runs).toBe(1);
});

test('a completed key is remembered for ttlSeconds', async () => {
  let now = 0;
  const { webhooks, deliver } = receiver({ ttlSeconds: 10 }, () => now);
  let runs = 0;
  webhooks.on('message.created', () => {
    runs += 1;
  });
  await deliver('a');
  now = 9_999;
  await deliver('a');
  expect(runs).toBe(1);
  now = 10_000;
  await deliver('a');
  expect(runs).toBe(2);
});

test('a run that never ends blocks others for leaseSeconds, and does not release a later claim', async () => {
  let now = 0;
  const { webhooks, deliver } = receiver({ leaseSeconds: 5 }, () => now);
  const runs: PromiseWithResolvers<void>[] = [];
  const started: (() => void)[] = [];
  webhooks.on('message.created', () => {
    const run = Promise.withResolvers<void>();
    runs.push(run);
    started.shift()?.();
    return run.promise;
  });
  const start = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    started.push(resolve);
    const delivered = deliver('a');
    return promise.then(() => ({ delivered }));
  };
  const first = await start();
  now = 4_999;
  expect((await deliver('a')).status).toBe(409);
  now = 5_000;
  const second = await start();
  runs[0]?.reject(new Error('too late'));
  expect((await first.delivered).status).toBe(500);
  expect((await deliver('a')).status).toBe(409);
  runs[1]?.resolve();
  expect((await second.delivered).status).toBe(200);
});

const failing = (method: keyof DedupeStore): DedupeStore => ({
  ...createMemoryDedupeStore(),
  [method]: () => Promise.reject(new Error('store down')),
});

// A handler runs only after a certain claim. Once it has run, the sender must not retry.
test.each([
  ['claim', 500, 0, 'dedupe.store.claim() failed; see the cause.'],
  ['complete', 200, 1, 'dedupe.store.complete() failed: redeliveries run again.'],
] as const)('a store whose %s fails causes a %i', async (method, status, expectedRuns, text) => {
  const { webhooks, deliver } = receiver({ store: failing(method) });
  let runs = 0;
  webhooks.on('message.created', () => {
    runs += 1;
  });
  const errors: unknown[] = [];
  webhooks.onError(({ code, cause, message }) => errors.push(code, String(cause), message));
  expect((await deliver('a')).status).toBe(status);
  expect([runs, errors]).toEqual([
    expectedRuns,
    ['HANDLER_FAILED', 'Error: store down', expect.stringContaining(text)],
  ]);
});

test('a failing release is reported together with the failed handler', async () => {
  const { webhooks, deliver } = receiver({ store: failing('release'), leaseSeconds: 5 });
  webhooks.on('message.created', () => Promise.reject(new Error('handler')));
  const errors: unknown[] = [];
  webhooks.onError(({ cause, message }) => errors.push([String(cause), message]));
  expect((await deliver('a')).status).toBe(500);
  expect(errors).toEqual([
    ['Error: handler', expect.stringContaining('1 of the handlers')],
    ['Error: store down', 'dedupe.store.release() failed: redeliveries are refused for 5000 ms.'],
  ]);
});

const claim = (token: string) => ({ token, leaseMs: 1000, ttlMs: 1000 });

test('a full memory store forgets the key that was completed first, and never one that is running', () => {
  const store = createMemoryDedupeStore({ maxKeys: 3, now: () => 0 });
  expect(store.claim('running', claim('1'))).toBe('claimed');
  for (const key of ['a', 'b', 'c']) {
    expect(store.claim(key, claim(key))).toBe('claimed');
    store.complete(key, claim(key));
  }
  expect(store.claim('running', claim('2'))).toBe('running');
  expect(store.claim('c', claim('2'))).toBe('completed');
  expect(store.claim('b', claim('2'))).toBe('completed');
  expect(store.claim('a', claim('2'))).toBe('claimed');
});

test('a memory store full of running keys returns "running" for others', () => {
  let now = 0;
  const store = createMemoryDedupeStore({ maxKeys: 2, now: () => now });
  expect(store.claim('a', claim('1'))).toBe('claimed');
  expect(store.claim('b', claim('1'))).toBe('claimed');
  expect(store.claim('c', claim('1'))).toBe('running');
  now = 1000;
  expect(store.claim('c', claim('1'))).toBe('claimed');
});

test('only the claim that holds a key can release it', () => {
  const store = createMemoryDedupeStore();
  store.claim('a', claim('mine'));
  store.release('a', claim('other'));
  expect(store.claim('a', claim('next'))).toBe('running');
  store.release('a', claim('mine'));
  expect(store.claim('a', claim('next'))).toBe('claimed');
});

test('a full memory store forgets only as many keys as it must, in the order of their last completion', () => {
  const store = createMemoryDedupeStore({ maxKeys: 3, now: () => 0 });
  for (const key of ['a', 'b', 'c', 'a']) {
    store.complete(key, claim(key));
  }
  expect(store.claim('d', claim('d'))).toBe('claimed');
  expect(store.claim('a', claim('2'))).toBe('completed');
  expect(store.claim('c', claim('2'))).toBe('completed');
  store.release('d', claim('d'));
  expect(store.claim('b', claim('2'))).toBe('claimed');
});

test('a key that is claimed again after its lease gets a new lease, and expired keys make room', () => {
  let now = 0;
  const store = createMemoryDedupeStore({ maxKeys: 2, now: () => now });
  expect(store.claim('a', claim('1'))).toBe('claimed');
  now = 500;
  expect(store.claim('b', claim('1'))).toBe('claimed');
  now = 1000;
  expect(store.claim('a', claim('2'))).toBe('claimed');
  now = 1500;
  expect(store.claim('c', claim('1'))).toBe('claimed');
  expect(store.claim('a', claim('3'))).toBe('running');
});

test.each([
  ['undefined', undefined, 'undefined'],
  ['null', null, 'null'],
  ['another word', 'ok', '"ok"'],
  ['a misspelled state', 'Claimed', '"Claimed"'],
  ['true', true, 'true'],
  ['an object', {}, '{}'],
  ['a long text', 'x'.repeat(10_000), `"${'x'.repeat(39)}`],
])('a claim() that returns %s causes a 500, and nothing runs', async (_, state, shown) => {
  const store = { ...createMemoryDedupeStore(), claim: () => state } as unknown as DedupeStore;
  const { webhooks, deliver } = receiver({ store });
  const seen: unknown[] = [];
  webhooks.on('message.created', () => seen.push('ran'));
  webhooks.onError(({ code, message }) => seen.push(code, message));
  expect(await deliver('a')).toEqual({ status: 500, json: { error: 'HANDLER_FAILED' } });
  expect(seen).toEqual([
    'HANDLER_FAILED',
    expect.stringContaining(`must return one of claimed, running, completed; got ${shown}.`),
  ]);
});

const byHeader: DedupeOptions = { key: ({ headers }) => headers.get('x-delivery-id') ?? undefined };

test('a captured delivery that is repeated under other ids does not block genuine deliveries', async () => {
  const webhooks = createWebhooks({ secret, signature, dedupe: byHeader });
  const seen: string[] = [];
  webhooks.on('message.created', ({ data }) => seen.push(data.body));
  const deliver = async (id: string, body: string) => {
    const request = await signedRequest('https://r.test/', message(body), { secret, signature });
    request.headers.set('x-delivery-id', id);
    return (await webhooks.fetch(request)).status;
  };
  for (const id of ['1', '2', '3']) {
    await deliver(id, 'captured');
  }
  seen.length = 0;
  expect(await deliver('2', 'genuine')).toBe(200);
  expect(await deliver('3', 'genuine too')).toBe(200);
  expect(await deliver('3', 'genuine too')).toBe(200);
  expect(seen).toEqual(['genuine', 'genuine too']);
});

test('a redelivery that is signed again with another timestamp is a repeat', async () => {
  const timed = { header: 'x-sig', timestamp: { header: 'x-time', toleranceSeconds: 1e9 } };
  const webhooks = createWebhooks({
    secret,
    signature: timed,
    now: () => 1_700_000_000_000,
    dedupe: byHeader,
  });
  let runs = 0;
  webhooks.on('message.created', () => {
    runs += 1;
  });
  for (const timestamp of [1_700_000_000, 1_700_000_060]) {
    const request = await signedRequest('https://r.test/', message('a'), {
      secret,
      signature: timed,
      timestamp,
    });
    request.headers.set('x-delivery-id', '1');
    expect((await webhooks.fetch(request)).status).toBe(200);
  }
  expect(runs).toBe(1);
});

test('a store receives the key, a dash and the SHA-256 of the body', async () => {
  const keys: string[] = [];
  const memory = createMemoryDedupeStore();
  const store: DedupeStore = {
    ...memory,
    claim: (key, claimed) => {
      keys.push(key);
      return memory.claim(key, claimed);
    },
  };
  const { webhooks, deliver } = receiver({ store, key: () => 'my_key' });
  webhooks.on('message.created', () => {});
  await deliver('a');
  const digest = createHash('sha256')
    .update(JSON.stringify(message('a')))
    .digest('hex');
  expect(keys).toEqual([`my_key-${digest}`]);
});
