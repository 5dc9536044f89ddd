import type { DedupeStore, Webhooks } from '@confab/webhooks';
import { createWebhooks, sign, signedRequest } from '@confab/webhooks';
import { expect, test, vi } from 'vitest';
import type { Block } from './support/blocks.ts';
import { blocksOf, writeBlocks } from './support/blocks.ts';
import { runOnStage } from './support/stage.ts';

const staged = blocksOf('stage');
const folder = writeBlocks('staged', []);

test.for(staged)(
  'the code block at %s runs without a warning, and its receivers accept a delivery',
  async ([, block]) => {
    const { complaints, statuses } = await runOnStage(folder, block);
    expect(complaints).toEqual([]);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
  },
);

const wrong = (code: string): Block => ({ document: 'wrong.md', line: 1, code, info: 'ts' });

test.for([
  ['that throws', 'await confab.leads.create({ phone: lead.phone });', 'leads.create failed with 409'],
  [
    'that calls another service',
    "await fetch('https://example.com/');",
    'A block called https://example.com/',
  ],
])('the test of code blocks notices a block %s', async ([, code = '', error]) => {
  await expect(runOnStage(folder, wrong(code))).rejects.toThrow(error);
});

/** Runs the block that contains a text, and returns what it declares by these names. */
const runSnippet = (text: string, names = '') => {
  const [, block] = staged.find(([, { code }]) => code.includes(text)) ?? [];
  expect(block, text).toBeDefined();
  return runOnStage(folder, { ...wrong(''), ...block, code: `${block?.code}export { ${names} };\n` });
};

const message = {
  event: 'message.created',
  data: { conversationId: 'c1', channel: 'web', body: 'Hello' },
};
const signature = { header: 'x-webhook-signature' };

/** Sends an event, signed, to a receiver; returns the status of its response. */
const statusOf = async (
  webhooks: unknown,
  secret: string,
  event: { event: string; data: unknown } = message,
  headers: Record<string, string> = {},
) => {
  const request = await signedRequest('https://receiver.test/', event, { secret, signature });
  for (const [name, value] of Object.entries(headers)) {
    request.headers.set(name, value);
  }
  return (await (webhooks as Webhooks).fetch(request)).status;
};

test('the guide’s signature schemes verify signatures in the formats of Stripe and Paddle', async () => {
  const { module } = await runSnippet("timestamped({ header: 'stripe-signature' })", 'stripe, paddle');
  for (const [name, format] of [
    ['stripe', /^t=\d+,v1=[0-9a-f]{64}$/],
    ['paddle', /^ts=\d+;h1=[0-9a-f]{64}$/],
  ] as const) {
    const options = { secret: 'a secret of the test', signature: module[name] as typeof signature };
    const headers = await sign('{}', options);
    expect(Object.values(headers)).toEqual([expect.stringMatching(format)]);
    await expect(createWebhooks(options).verify('{}', headers)).resolves.toMatchObject({ secretIndex: 0 });
  }
});

test('the guide’s schema refuses an event that does not match', async () => {
  const { module, prelude } = await runSnippet("'status.changed'", 'webhooks');
  const event = (data: object) => ({ event: 'status.changed', data });
  expect(
    await statusOf(module.webhooks, prelude.secret, event({ conversationId: 'c1', status: 'open' })),
  ).toBe(200);
  expect(await statusOf(module.webhooks, prelude.secret, event({ conversationId: 'c1' }))).toBe(400);
});

test('the guide’s Worker responds before its handlers have finished', async () => {
  const { module, prelude } = await runSnippet('waitUntil(worker.process(delivery))', 'worker');
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  const done = vi.fn();
  (module.worker as Webhooks).on('message.created', () => promise.then(done));
  const kept: Promise<unknown>[] = [];
  const request = await signedRequest('https://worker.test/', message, { secret: prelude.secret, signature });
  const { status } = await (module.default as Pick<Webhooks, 'fetch'>).fetch(request, {
    waitUntil: (work: Promise<unknown>) => void kept.push(work),
  });
  expect([status, done.mock.calls.length]).toEqual([200, 0]);
  resolve();
  await Promise.all(kept);
  expect(done).toHaveBeenCalledTimes(1);
});

test('the guide’s receiver with dedupe runs a redelivery once', async () => {
  const { module, prelude } = await runSnippet('createMemoryDedupeStore({ maxKeys', 'webhooks');
  const handled = vi.fn();
  (module.webhooks as Webhooks).on('message.created', handled);
  for (const id of ['1', '1', '2']) {
    expect(await statusOf(module.webhooks, prelude.secret, message, { 'x-delivery-id': id })).toBe(200);
  }
  expect(handled).toHaveBeenCalledTimes(2);
});

test('the guide’s store for SQLite claims, completes and releases keys as its contract says', async () => {
  const { module, prelude } = await runSnippet('new DatabaseSync(', 'store, webhooks');
  const store = module.store as DedupeStore;
  const claim = (token: string, leaseMs = 60_000) => store.claim('k', { token, leaseMs, ttlMs: 60_000 });
  expect([claim('first', 0), claim('second'), claim('third')]).toEqual(['claimed', 'claimed', 'running']);
  store.release('k', { token: 'first', leaseMs: 0, ttlMs: 0 });
  expect(claim('third')).toBe('running');
  store.release('k', { token: 'second', leaseMs: 0, ttlMs: 0 });
  expect(claim('third')).toBe('claimed');
  store.complete('k', { token: 'second', leaseMs: 0, ttlMs: 60_000 });
  expect(claim('fourth')).toBe('completed');
  store.complete('k', { token: 'third', leaseMs: 0, ttlMs: 0 });
  expect(claim('fourth')).toBe('claimed');

  const handled = vi.fn();
  (module.webhooks as Webhooks).on('message.created', handled);
  for (const id of ['1', '1', '2']) {
    expect(await statusOf(module.webhooks, prelude.secret, message, { 'x-delivery-id': id })).toBe(200);
  }
  expect(handled).toHaveBeenCalledTimes(2);
});

test('the guide’s replying handler replies once to each message of a lead, and never to itself', async () => {
  const { prelude } = await runSnippet('We will call you back.');
  const { mock, conversationId } = prelude;
  const replies = () => mock.messages.find({ conversationId, direction: 'outbound' }).length;
  for (const expected of [1, 2]) {
    await mock.clock.advance(60_000);
    await mock.inbound({ conversationId, body: 'Are you there?' });
    await mock.webhooks.flush();
    expect(replies()).toBe(expected);
  }
});

test('the guide’s receiver accepts both secrets during a rotation, and counts them', async () => {
  vi.stubEnv('CONFAB_WEBHOOK_SECRET_OLD', 'the old secret of the test');
  const { module, prelude } = await runSnippet('CONFAB_WEBHOOK_SECRET_OLD', 'webhooks');
  for (const [index, secret] of [prelude.secret, 'the old secret of the test'].entries()) {
    expect(await statusOf(module.webhooks, secret)).toBe(200);
    expect(prelude.metrics.increment).toHaveBeenLastCalledWith(`webhook.secret.${index}`);
  }
});
