import { createClient } from '@confab/client';
import { createMock } from '@confab/mock';
import type { Webhooks } from '@confab/webhooks';
import { createMemoryDedupeStore, createWebhooks, sign, signedRequest, timestamped } from '@confab/webhooks';
import { afterEach, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { findCodeBlocks } from './support/code-blocks.ts';
import { read } from './support/repository.ts';

const GUIDE = 'docs/guides/webhooks.md';

const blocks = findCodeBlocks(GUIDE, read(GUIDE));

/** A text of each block that has no output of its own, and so runs in a test below. */
const SNIPPETS = {
  schemes: "timestamped({ header: 'stripe-signature' })",
  rotation: 'CONFAB_WEBHOOK_SECRET_OLD',
  events: "'status.changed'",
  waitUntil: 'waitUntil(worker.process(delivery))',
  dedupe: 'createMemoryDedupeStore({ maxKeys',
  reply: 'We will call you back.',
};

/** Runs a block of the guide with values for the names that it uses; gives one of its variables. */
const runSnippet = (
  name: keyof typeof SNIPPETS,
  names: Record<string, unknown>,
  result = 'undefined',
): unknown => {
  const block = blocks.find(({ code }) => code.includes(SNIPPETS[name]));
  expect(block).toBeDefined();
  const code = block?.code.replaceAll(/^import .*$/gm, '').replace('export default', 'const exported =');
  return new Function(...Object.keys(names), `${code}; return ${result};`)(...Object.values(names));
};

const signature = { header: 'x-webhook-signature' };
const secret = 'a secret of the test';
const message = {
  event: 'message.created',
  data: { conversationId: 'c1', channel: 'web', body: 'Hello' },
};

const signed = (event: { event: string; data: unknown }) =>
  signedRequest('https://receiver.test/', event, { secret, signature });

test('every block of the guide runs, by itself or in a test of this file', () => {
  const idle = blocks.filter(
    ({ code, runs }) => !runs && !Object.values(SNIPPETS).some((text) => code.includes(text)),
  );
  expect(idle).toEqual([]);
});

test('the guide’s schemes verify what Stripe and Paddle sign', async () => {
  const [stripe, paddle] = runSnippet('schemes', { timestamped }, '[stripe, paddle]') as ReturnType<
    typeof timestamped
  >[];
  for (const [scheme, form] of [
    [stripe!, /^t=\d+,v1=[0-9a-f]{64}$/],
    [paddle!, /^ts=\d+;h1=[0-9a-f]{64}$/],
  ] as const) {
    const headers = await sign('{}', { secret, signature: scheme });
    expect(Object.values(headers)).toEqual([expect.stringMatching(form)]);
    expect(await createWebhooks({ secret, signature: scheme }).verify('{}', headers)).toMatchObject({
      secretIndex: 0,
    });
  }
});

test('the guide’s schema refuses an event that does not match', async () => {
  const names = { createWebhooks, secret, signature, z };
  const webhooks = runSnippet('events', names, 'webhooks') as Webhooks;
  const statusOf = async (data: object) =>
    (await webhooks.fetch(await signed({ event: 'status.changed', data }))).status;
  expect(await statusOf({ conversationId: 'c1', status: 'open' })).toBe(200);
  expect(await statusOf({ conversationId: 'c1' })).toBe(400);
});

test('the guide’s Worker responds before its handlers have finished', async () => {
  const names = { createWebhooks, secret, signature };
  const [exported, worker] = runSnippet('waitUntil', names, '[exported, worker]') as [
    Pick<Webhooks, 'fetch'>,
    Webhooks,
  ];
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  const done = vi.fn();
  worker.on('message.created', () => promise.then(done));
  const kept: Promise<unknown>[] = [];
  const response = await exported.fetch(await signed(message), {
    waitUntil: (work: Promise<unknown>) => void kept.push(work),
  });
  expect([response.status, done.mock.calls.length]).toEqual([200, 0]);
  resolve();
  await Promise.all(kept);
  expect(done).toHaveBeenCalledTimes(1);
});

test('the guide’s receiver with dedupe runs a redelivery once', async () => {
  const names = { createWebhooks, createMemoryDedupeStore, secret, signature };
  const webhooks = runSnippet('dedupe', names, 'webhooks') as Webhooks;
  const handled = vi.fn();
  webhooks.on('message.created', handled);
  for (const id of ['1', '1', '2']) {
    const request = await signed(message);
    request.headers.set('x-delivery-id', id);
    expect((await webhooks.fetch(request)).status).toBe(200);
  }
  expect(handled).toHaveBeenCalledTimes(2);
});

afterEach(() => {
  vi.unstubAllEnvs();
});

test('the guide’s replying handler replies once to each message of a lead, and never to itself', async () => {
  const mock = createMock();
  const webhooks = createWebhooks({ secret, signature });
  const errors: unknown[] = [];
  webhooks.onError((error) => errors.push(error));
  runSnippet('reply', { webhooks, confab: createClient(mock.clientOptions) });
  mock.webhooks.add({ url: 'https://receiver.test/', secret, fetch: webhooks.fetch });
  const { conversation } = await mock.inbound({ phone: '+5511987654321', body: 'Hello' });
  await mock.webhooks.flush();
  const sent = () => mock.messages.find({ conversationId: conversation.id });
  expect(
    sent()
      .map(({ direction }) => direction)
      .sort(),
  ).toEqual(['inbound', 'outbound']);
  await mock.clock.advance(60_000);
  await mock.inbound({ conversationId: conversation.id, body: 'Are you there?' });
  await mock.webhooks.flush();
  expect(sent().filter(({ direction }) => direction === 'outbound')).toHaveLength(2);
  expect(errors).toEqual([]);
});

test.each([
  ['between rotations', 'one', undefined, 'one', 0],
  ['amid a rotation, by the new secret', 'two', 'one', 'two', 0],
  ['amid a rotation, by the old secret', 'two', 'one', 'one', 1],
])('the guide’s receiver with a rotated secret works %s', async (_, current, old, secret, index) => {
  vi.stubEnv('CONFAB_WEBHOOK_SECRET', current);
  vi.stubEnv('CONFAB_WEBHOOK_SECRET_OLD', old);
  const counted: string[] = [];
  const metrics = { increment: (name: string) => counted.push(name) };
  const names = { createWebhooks, signature, metrics };
  const webhooks = runSnippet('rotation', names, 'webhooks') as ReturnType<typeof createWebhooks>;
  const data = { conversationId: 'c1', channel: 'web', body: 'Hello' };
  const body = JSON.stringify({ event: 'message.created', data });
  const headers = await sign(body, { secret, signature });
  const answer = await webhooks.receive({ method: 'POST', headers, body });
  expect([answer.status, counted]).toEqual([200, [`webhook.secret.${index}`]]);
});

test('the guide’s receiver with a rotated secret throws without any secret', () => {
  vi.stubEnv('CONFAB_WEBHOOK_SECRET', undefined);
  vi.stubEnv('CONFAB_WEBHOOK_SECRET_OLD', undefined);
  const names = { createWebhooks, signature, metrics: {} };
  expect(() => runSnippet('rotation', names)).toThrow(/Is its environment variable set/);
});
