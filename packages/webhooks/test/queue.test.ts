import { turns } from '@confab/internal/test-support';
import type { DedupeStore, Delivery, Enqueue, WebhooksOptions } from '@confab/webhooks';
import { createMemoryDedupeStore, createWebhooks, WebhookConfigurationError } from '@confab/webhooks';
import { expect, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod';
import {
  createReceiver,
  data,
  message,
  requestWith,
  secret,
  signature,
  standard,
} from './support/receiver.ts';

const UUID = /^[0-9a-f-]{36}$/;
const HASH = '[0-9a-f]{64}';
const byHeader = { key: ({ headers }: { headers: Headers }) => headers.get('x-id') ?? undefined };

const job: Delivery = {
  id: '1',
  ...message,
  receivedAt: '2026-01-31T12:00:00.000Z',
  headers: {},
  secretIndex: 0,
};

/** A receiver that puts deliveries into an array, as JSON, and a worker with the same options. */
const queued = (options: Partial<WebhooksOptions> = {}) => {
  const jobs: string[] = [];
  const enqueue: Enqueue = async (delivery) => jobs.push(JSON.stringify(delivery));
  const { webhooks, deliver } = createReceiver({ ...options, enqueue });
  const next = (): Delivery => JSON.parse(jobs.shift() ?? 'null');
  return {
    receiver: webhooks,
    deliver,
    jobs,
    next,
    worker: createWebhooks({ secret, signature, ...options }),
  };
};

test.each<[deliveryHeaders: string[] | undefined, headers: object]>([
  [undefined, {}],
  [['X-Region', 'x-missing'], { 'x-region': 'eu' }],
])(
  'with deliveryHeaders %j, a queued delivery has no other headers, signature or secret',
  async (deliveryHeaders, headers) => {
    const now = () => Date.UTC(2026, 0, 31, 12);
    const { deliver, next } = queued({ deliveryHeaders, now });
    expect(await deliver(message, { headers: { 'x-region': 'eu', 'x-other': 'hidden' } })).toBe(200);
    expect(next()).toEqual({ ...job, id: expect.stringMatching(UUID), headers });
  },
);

const HASHED = new RegExp(`^${HASH}-${HASH}$`);
test.each<[what: string, id: RegExp, key?: string]>([
  ['no dedupe key', UUID],
  ['the dedupe key d7', new RegExp(`^d7-${HASH}$`), 'd7'],
  ['a dedupe key of 256 characters', new RegExp(`^a{256}-${HASH}$`), 'a'.repeat(256)],
  // An attacker chooses headers, and could fill the store.
  ['a dedupe key of 257 characters', HASHED, 'a'.repeat(257)],
  ['the dedupe key a:b', HASHED, 'a:b'],
  ['the dedupe key ä', HASHED, 'ä'],
  ['the dedupe key 7', HASHED, '7'],
])('with %s, the id of a queued delivery matches %s', async (_, id, key) => {
  const { deliver, next } = queued({ dedupe: byHeader });
  await deliver(message, { headers: key === undefined ? {} : { 'x-id': key } });
  expect(next().id).toMatch(id);
});

test.each([
  ['msg_2f-Ab', 'msg_2f-Ab'],
  ['evt:1', HASH],
  ['12345', HASH],
  ['-7', HASH],
  ['12-ab', '12-ab'],
])('a delivery with the signed id %s gets an id that queues accept, and runs once', async (id, form) => {
  const { deliver, worker, next } = queued({ ...standard, dedupe: {} });
  const handled = vi.fn();
  worker.onAny((_, context) => handled(context.id));
  for (let time = 0; time < 2; time += 1) {
    expect(await deliver(message, { ...standard, id })).toBe(200);
    await worker.process(next());
  }
  expect(handled.mock.calls).toEqual([[expect.stringMatching(new RegExp(`^${form}$`))]]);
});

test('the response waits for enqueue, and is 500 if that fails', async () => {
  const queue = Promise.withResolvers<void>();
  const { deliver, errors } = createReceiver({ enqueue: () => queue.promise });
  const responded = vi.fn();
  const response = deliver().finally(responded);
  await new Promise(setImmediate);
  expect(responded).not.toHaveBeenCalled();
  const cause = new Error('the queue is full');
  queue.reject(cause);
  expect([await response, errors]).toMatchObject([500, [{ code: 'RECEIVER_FAILED', cause }]]);
  expect(errors[0]?.message).toMatch(/^enqueue failed; see the cause/);
});

test('enqueue receives the signal of the request, which aborts when the sender disconnects', async () => {
  const aborted: unknown[] = [];
  const enqueue: Enqueue = async (_, { signal }) => aborted.push(signal.aborted, signal.reason);
  const { webhooks } = createReceiver({ enqueue });
  await webhooks.fetch(new Request(await requestWith(), { signal: AbortSignal.abort('gone') }));
  const { method, headers, body } = await requestWith();
  await webhooks.receive({ method, headers, body });
  expect(aborted).toEqual([true, 'gone', false, undefined]);
});

test('only genuine and valid deliveries are queued, with or without a schema', async () => {
  const { deliver, next, jobs } = queued();
  expect(await deliver(message, { secret: 'guess' })).toBe(401);
  expect(await deliver({ event: 'message.created', data: {} })).toBe(400);
  expect(jobs).toEqual([]);
  expect(await deliver({ event: 'lead.scored', data: { score: 1 } })).toBe(200);
  expect(next()).toMatchObject({ event: 'lead.scored', data: { score: 1 } });
});

test('process() runs the handlers, with data that the schema has transformed', async () => {
  const events = { 'call.ended': z.object({ at: z.iso.datetime().transform((text) => new Date(text)) }) };
  const { deliver, next } = queued({ events, deliveryHeaders: ['x-region'] });
  const worker = createWebhooks({ secret, signature, events });
  const seen: unknown[] = [];
  worker.on('call.ended', ({ data }, { id, headers, body, secretIndex, signal }) => {
    seen.push(data.at.toISOString(), headers.get('x-region'), body, secretIndex, signal.aborted, id);
  });
  const payload = { event: 'call.ended', data: { at: '2026-01-31T12:00:00.000Z' } };
  await deliver(payload, { headers: { 'x-region': 'eu' } });
  const delivery = next();
  await worker.process(delivery, { signal: AbortSignal.abort() });
  expect(seen).toEqual([payload.data.at, 'eu', undefined, 0, true, delivery.id]);
});

test.each<[title: string, thrown: unknown[], text: string]>([
  ['an error', [new Error('not yet')], 'The handler for "message.created" failed: not yet.'],
  ['a text', ['full'], 'The handler for "message.created" failed: full.'],
  [
    'two errors',
    [new Error('one'), new Error('$& two')],
    '2 of 2 handlers for "message.created" failed: one; $& two.',
  ],
])(
  'the error of process() contains the messages of the handlers, because queues keep nothing else: %s',
  async (_, thrown, text) => {
    const { worker } = queued();
    for (const reason of thrown) {
      worker.onAny(() => Promise.reject(reason));
    }
    await expect(worker.process(job)).rejects.toThrow(`${text} The sender or the queue should retry.`);
  },
);

test.each([
  ['with a colon', 'a:b', HASH],
  ['that is too long', 'a'.repeat(322), HASH],
  ['only if it has an unknown format', `${'a'.repeat(256)}-${'0'.repeat(64)}`, 'a{256}-0{64}'],
])('process() hashes an id for the store %s', async (_, id, form) => {
  const claim = vi.fn<DedupeStore['claim']>(() => 'completed');
  const { worker } = queued({ dedupe: { ...byHeader, store: { ...createMemoryDedupeStore(), claim } } });
  worker.onAny(() => {});
  await worker.process({ ...job, id });
  expect(claim.mock.calls[0]?.[0]).toMatch(new RegExp(`^${form}$`));
});

test('process() rejects while another worker runs the same delivery, so the queue keeps the job', async () => {
  const { worker } = queued({ dedupe: byHeader });
  const { promise, resolve } = Promise.withResolvers<void>();
  worker.on('message.created', () => promise);
  const first = worker.process(job);
  await expect(worker.process(job)).rejects.toMatchObject({ code: 'STILL_RUNNING', status: 409 });
  resolve();
  await first;
  await worker.process(job);
});

test('a receiver with enqueue refuses handlers of events, and process()', async () => {
  const { receiver } = queued();
  const text = 'A receiver with `enqueue` runs no handlers. Call this method on the worker.';
  expect(() => receiver.on('message.created', () => {})).toThrow(text);
  expect(() => receiver.onUnknown(() => {})).toThrow(text);
  expect(() => receiver.onAny(() => {})).toThrow(WebhookConfigurationError);
  await expect(receiver.process(job)).rejects.toThrow(text);
});

test.each<[problem: string, delivery: unknown]>([
  ['the payload must be an object, got undefined', undefined],
  ['the payload must be an object, got a string', JSON.stringify(job)],
  ['`id` must be a non-empty string, got undefined', message],
  ['`id` must be a non-empty string, got a string', { ...job, id: '' }],
  ['`headers` must be an object, got null', { ...job, headers: null }],
  ['`event` must be a string, got undefined', { ...job, event: undefined }],
  ['`data` must be an object, got an array', { ...job, data: [] }],
  ['`event` must be a string, got undefined', { id: '7', name: 'a job of BullMQ', data: job }],
])(
  'process() refuses a job that is not a delivery, and the error says why: %s',
  async (problem, delivery) => {
    await expect(createWebhooks({ secret, signature }).process(delivery as never)).rejects.toMatchObject({
      name: 'WebhookError',
      code: 'INVALID_EVENT',
      message: `Pass a parsed Delivery (in BullMQ: job.data): ${problem}.`,
    });
  },
);

test('process() refuses data that does not match the schema, and ignores events without a handler', async () => {
  const worker = createWebhooks({ secret, signature });
  await expect(worker.process({ ...job, data: { ...data, body: 1 } })).rejects.toMatchObject({
    code: 'INVALID_EVENT',
    message: expect.stringContaining('data.body: must be a string (a number)'),
  });
  expect(await worker.process(job, null as never)).toBe(undefined);
});

const failure = new Error('the worker failed');

test('waitUntil() of enqueue lets work continue after the response, and onError gets its failure', async () => {
  const enqueue: Enqueue = async (_, { waitUntil }) =>
    waitUntil(turns(5).then(() => Promise.reject(failure)));
  const { webhooks, errors } = createReceiver({ enqueue });
  const kept: Promise<unknown>[] = [];
  const context = { waitUntil: (work: Promise<unknown>) => void kept.push(work) };
  expect((await webhooks.fetch(await requestWith(), context)).status).toBe(200);
  await Promise.all(kept);
  const message = expect.stringMatching(/^waitUntil\(\) failed; see the cause/);
  expect([kept.length, errors]).toMatchObject([1, [{ message, cause: failure }]]);
});

test('waitUntil() of enqueue handles a rejection before the host runs the task', async () => {
  const enqueue: Enqueue = async (_, { waitUntil }) => waitUntil(Promise.reject(failure));
  const { webhooks } = createReceiver({ enqueue });
  const { method, headers, body } = await requestWith();
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  onTestFinished(() => void process.off('unhandledRejection', unhandled));
  const response = await webhooks.receive({ method, headers, body, afterResponse: () => {} });
  expect(response.status).toBe(200);
  await turns();
  expect(unhandled).not.toHaveBeenCalled();
});
