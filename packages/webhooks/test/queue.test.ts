import type { Delivery, Enqueue, Signature, WebhooksOptions } from '@confab/webhooks';
import {
  createMemoryDedupeStore,
  createWebhooks,
  sign,
  signedRequest,
  standardWebhooks,
  timestamped,
  WebhookConfigurationError,
  WebhookError,
} from '@confab/webhooks';
import { expect, test, vi } from 'vitest';
import * as z from 'zod';

const secret = 'a secret of the test';
const signature = { header: 'x-signature' };
const now = () => Date.UTC(2026, 0, 31, 12);
const message = {
  event: 'message.created',
  data: { conversationId: 'c1', channel: 'web', body: 'Hello' },
};

const job: Delivery = { id: '1', ...message, receivedAt: '2026-01-31T12:00:00.000Z', headers: {} };

const post = async (payload: unknown, headers: Record<string, string> = {}): Promise<Request> => {
  const body = JSON.stringify(payload);
  const signed = await sign(body, { secret, signature });
  return new Request('https://r.test/', { method: 'POST', body, headers: { ...headers, ...signed } });
};

/** A receiver that puts deliveries into an array, as JSON, and a worker that knows the same options. */
const queued = (options: Partial<WebhooksOptions> = {}) => {
  const jobs: string[] = [];
  const common = { secret, signature, now, ...options };
  const receiver = createWebhooks({
    ...common,
    enqueue: async (delivery) => jobs.push(JSON.stringify(delivery)),
  });
  const worker = createWebhooks(common);
  const next = (): Delivery => JSON.parse(jobs.shift() ?? 'null');
  return { jobs, receiver, worker, next };
};

test('a genuine delivery is queued as plain JSON, without its secret, signature or other headers', async () => {
  const { receiver, jobs } = queued({ deliveryHeaders: ['X-Region', 'x-missing'] });
  const response = await receiver.fetch(await post(message, { 'x-region': 'eu', 'x-other': 'hidden' }));

  expect(response.status).toBe(200);
  expect(JSON.parse(jobs[0] ?? '')).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    ...message,
    receivedAt: '2026-01-31T12:00:00.000Z',
    headers: { 'x-region': 'eu' },
  });
});

test.each<[name: string, signature: Signature]>([
  ['one header', { header: 'x-signature', timestamp: { header: 'x-timestamp' } }],
  ['Standard Webhooks', standardWebhooks()],
  ['Stripe', timestamped({ header: 'stripe-signature' })],
])('a job keeps no header of %s that deliveryHeaders does not name', async (_, scheme) => {
  const options = { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', signature: scheme };
  for (const deliveryHeaders of [undefined, ['x-region']]) {
    const { receiver, next } = queued({ ...options, deliveryHeaders, now: Date.now });
    const response = await receiver.fetch(await signedRequest('https://r.test/', message, options));
    expect([response.status, next().headers]).toEqual([200, {}]);
  }
});

test('the id is the signed id, or the key of dedupe with the digest of the body', async () => {
  const keyed = queued({ dedupe: { key: ({ headers }) => headers.get('x-id') ?? undefined } });
  await keyed.receiver.fetch(await post(message, { 'x-id': 'd7' }));
  await keyed.receiver.fetch(await post(message));
  expect(keyed.next().id).toMatch(/^d7-[0-9a-f]{64}$/);
  expect(keyed.next().id).toMatch(/^[0-9a-f-]{36}$/);

  const options = { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', signature: standardWebhooks() };
  const signed = queued({ ...options, now: Date.now });
  const body = JSON.stringify(message);
  const headers = await sign(body, { ...options, id: 'msg_1' });
  await signed.receiver.fetch(new Request('https://r.test/', { method: 'POST', body, headers }));
  expect(signed.next().id).toBe('msg_1');
});

test('a long key of dedupe is hashed, because an attacker chooses headers and could fill the store', async () => {
  const { receiver, next } = queued({ dedupe: { key: ({ headers }) => headers.get('x-id') ?? undefined } });
  const ids: string[] = [];
  for (const key of ['a'.repeat(256), 'a'.repeat(257), `${'a'.repeat(15_000)}1`, `${'a'.repeat(15_000)}2`]) {
    await receiver.fetch(await post(message, { 'x-id': key }));
    ids.push(next().id);
  }
  expect(ids.map((id) => id.length)).toEqual([321, 129, 129, 129]);
  expect(new Set(ids).size).toBe(4);
});

test('the response waits for the queue, and is 500 when the queue fails', async () => {
  const queue = Promise.withResolvers<void>();
  const slow = createWebhooks({ secret, signature, enqueue: () => queue.promise });
  let responded = false;
  const response = slow.fetch(await post(message)).finally(() => {
    responded = true;
  });
  await new Promise(setImmediate);
  expect(responded).toBe(false);
  queue.resolve();
  expect((await response).status).toBe(200);

  const broken = createWebhooks({
    secret,
    signature,
    enqueue: () => Promise.reject(new Error('the queue is full')),
  });
  const errors: WebhookError[] = [];
  broken.onError((error) => errors.push(error));
  expect((await broken.fetch(await post(message))).status).toBe(500);
  expect(errors[0]).toMatchObject({ code: 'HANDLER_FAILED', cause: { message: 'the queue is full' } });
  expect(errors[0]?.message).toMatch(/^enqueue failed; see the cause/);
});

test('enqueue receives the signal of the request, which aborts when the sender disconnects', async () => {
  const aborted: unknown[] = [];
  const enqueue: Enqueue = async (_, { signal }) => aborted.push(signal.aborted, signal.reason);
  const webhooks = createWebhooks({ secret, signature, enqueue });
  const signal = AbortSignal.abort('gone');
  await webhooks.fetch(new Request(await post(message), { signal }));
  const { method, headers, body } = await post(message);
  await webhooks.receive({ method, headers, body });
  expect(aborted).toEqual([true, 'gone', false, undefined]);
});

test('only genuine and valid deliveries are queued, known or not', async () => {
  const { receiver, next, jobs } = queued();
  const forged = new Request('https://r.test/', {
    method: 'POST',
    body: JSON.stringify(message),
    headers: { 'x-signature': '0'.repeat(64) },
  });
  expect((await receiver.fetch(forged)).status).toBe(401);
  expect((await receiver.fetch(await post({ event: 'message.created', data: {} }))).status).toBe(400);
  expect(jobs).toEqual([]);

  expect((await receiver.fetch(await post({ event: 'lead.scored', data: { score: 1 } }))).status).toBe(200);
  expect(next()).toMatchObject({ event: 'lead.scored', data: { score: 1 } });
});

test('process() runs the handlers, with data that the schema has transformed', async () => {
  const At = z.object({ at: z.iso.datetime().transform((text) => new Date(text)) });
  const events = { 'call.ended': At };
  const jobs: string[] = [];
  const receiver = createWebhooks({
    secret,
    signature,
    events,
    enqueue: async (delivery) => jobs.push(JSON.stringify(delivery)),
    deliveryHeaders: ['x-region'],
  });
  const worker = createWebhooks({ secret, signature, events });
  const seen: unknown[] = [];
  worker.on('call.ended', ({ data }, { id, headers, body, secretIndex, signal }) => {
    seen.push(data.at.getTime(), headers.get('x-region'), body, secretIndex, signal.aborted, id);
  });
  const payload = { event: 'call.ended', data: { at: '2026-01-31T12:00:00Z' } };
  await receiver.fetch(await post(payload, { 'x-region': 'eu' }));
  const delivery: Delivery = JSON.parse(jobs[0] ?? '');
  await worker.process(delivery, { signal: AbortSignal.abort() });

  expect(seen).toEqual([now(), 'eu', undefined, undefined, true, delivery.id]);
});

test('with dedupe, process() runs a delivery once, and again only after a failure', async () => {
  const { receiver, worker, next } = queued({ dedupe: { key: () => 'same' } });
  const outcomes = [() => Promise.reject(new Error('not yet')), () => 'done'];
  const handled = vi.fn(() => outcomes.shift()?.());
  worker.on('message.created', handled);
  await receiver.fetch(await post(message));
  const delivery = next();

  const failure = await worker.process(delivery).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(WebhookError);
  expect(failure).toMatchObject({ code: 'HANDLER_FAILED', cause: { message: 'not yet' } });
  await worker.process(delivery);
  await worker.process(delivery);
  expect(handled).toHaveBeenCalledTimes(2);
});

test('process() rejects while another worker runs the same delivery, so that the queue keeps the job', async () => {
  const store = createMemoryDedupeStore({ now });
  const { receiver, worker, next } = queued({ dedupe: { key: () => 'same', store } });
  const { promise, resolve } = Promise.withResolvers<void>();
  worker.on('message.created', () => promise);
  await receiver.fetch(await post(message));
  const delivery = next();

  const first = worker.process(delivery);
  await expect(worker.process(delivery)).rejects.toMatchObject({ code: 'STILL_RUNNING', status: 409 });
  resolve();
  await first;
  await worker.process(delivery);
});

test('a receiver with enqueue refuses handlers of events and process(), which would do nothing', async () => {
  const { receiver } = queued();
  const text = 'This receiver has `enqueue`: do this on the worker.';
  expect(() => receiver.on('message.created', () => {})).toThrow(text);
  expect(() => receiver.onUnknown(() => {})).toThrow(text);
  expect(() => receiver.onAny(() => {})).toThrow(WebhookConfigurationError);
  await expect(receiver.process({ ...job })).rejects.toThrow(text);
  receiver.onError(() => {});
});

const noId = (given: string) => `\`id\` must be a non-empty string, got ${given}`;
const noHeaders = '`headers` must be an object of headers';

test.each<[delivery: unknown, problem: string]>([
  [null, 'the payload must be an object, got null'],
  [undefined, 'the payload must be an object, got undefined'],
  [JSON.stringify(job), 'the payload must be an object, got a string'],
  [[], 'the payload must be an object, got an array'],
  [message, noId('undefined')],
  [{ ...job, id: '' }, noId('a string')],
  [{ ...job, id: null }, noId('null')],
  [{ ...job, id: 7 }, noId('a number')],
  [{ ...job, id: ['7'] }, noId('an array')],
  [{ ...job, headers: null }, noHeaders],
  [{ ...job, headers: undefined }, noHeaders],
  [{ ...job, headers: [] }, noHeaders],
  [{ ...job, headers: { 'not a name': '' } }, noHeaders],
  [{ ...job, event: undefined }, '`event` must be a string, got undefined'],
  [{ ...job, data: undefined }, '`data` must be an object, got undefined'],
  [{ ...job, data: [] }, '`data` must be an object, got an array'],
])('process() refuses what is no delivery, and says what is wrong: %j', async (delivery, problem) => {
  const worker = createWebhooks({ secret, signature });
  worker.onAny(() => {});
  const error: unknown = await worker.process(delivery as never).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(WebhookError);
  expect(error).toMatchObject({
    code: 'INVALID_EVENT',
    message: `Pass a parsed Delivery, as in process(JSON.parse(job)): ${problem}.`,
  });
});

test('process() refuses a delivery whose data does not match the schema', async () => {
  const worker = createWebhooks({ secret, signature });
  await expect(worker.process({ ...job, data: { body: 1 } })).rejects.toMatchObject({
    code: 'INVALID_EVENT',
    message: expect.stringContaining('data.body: must be a string (a number)'),
  });
});

test('process() accepts null as its options', async () => {
  const worker = createWebhooks({ secret, signature });
  expect(await worker.process(job, null as never)).toBe(undefined);
});

test('process() ignores events without a handler', async () => {
  const { receiver, worker, next } = queued();
  await receiver.fetch(await post(message));
  expect(await worker.process(next())).toBe(undefined);
});

test('waitUntil() lets the work go on after the response, and its failure reaches onError', async () => {
  const { promise, reject } = Promise.withResolvers<void>();
  const enqueue: Enqueue = async (_, { waitUntil }) => waitUntil(promise);
  const webhooks = createWebhooks({ secret, signature, enqueue });
  const errors: WebhookError[] = [];
  const regions: unknown[] = [];
  webhooks.onError((error, { headers }) => {
    errors.push(error);
    regions.push(headers.get('x-region'));
  });
  const kept: Promise<unknown>[] = [];
  const response = await webhooks.fetch(await post(message, { 'x-region': 'eu' }), {
    waitUntil: (work: Promise<unknown>) => void kept.push(work),
  });
  expect(response.status).toBe(200);
  reject(new Error('the worker failed'));
  await Promise.all(kept);
  expect(kept).toHaveLength(1);
  expect(errors).toMatchObject([{ code: 'HANDLER_FAILED', cause: { message: 'the worker failed' } }]);
  expect(errors[0]?.message).toMatch(/^waitUntil\(\) failed; see the cause/);
  expect(regions).toEqual(['eu']);
});

test.each([
  [
    'a thenable that rejects',
    Object.fromEntries([['then', (_: unknown, reject: (error: Error) => void) => reject(new Error('no'))]]),
    1,
  ],
  ['undefined', undefined, 0],
  ['null', null, 0],
])('waitUntil() accepts %s', async (_, work, reported) => {
  const enqueue: Enqueue = async (_, { waitUntil }) => waitUntil(work as never);
  const webhooks = createWebhooks({ secret, signature, enqueue });
  const errors: WebhookError[] = [];
  webhooks.onError((error) => errors.push(error));
  const kept: Promise<unknown>[] = [];
  const context = { waitUntil: (task: Promise<unknown>) => void kept.push(task) };
  expect((await webhooks.fetch(await post(message), context)).status).toBe(200);
  await Promise.all(kept);
  expect(errors.map(({ cause }) => cause)).toEqual(reported ? [new Error('no')] : []);
});

test('waitUntil() handles a rejection before the host runs the task', async () => {
  const enqueue: Enqueue = async (_, { waitUntil }) => waitUntil(Promise.reject(new Error('no')));
  const webhooks = createWebhooks({ secret, signature, enqueue });
  const unhandled = vi.fn();
  process.once('unhandledRejection', unhandled);
  const { method, headers, body } = await post(message);
  await webhooks.receive({ method, headers, body, afterResponse: () => {} });
  await new Promise(setImmediate);
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});

test('onAny() handles known and unknown events, until it is removed', async () => {
  const webhooks = createWebhooks({ secret, signature });
  const seen: unknown[] = [];
  const remove = webhooks.onAny(({ event, known }) => seen.push([event, known]));
  webhooks.on('message.created', () => seen.push('on'));
  await webhooks.fetch(await post(message));
  await webhooks.fetch(await post({ event: 'lead.scored', data: {} }));
  remove();
  await webhooks.fetch(await post(message));
  expect(seen).toEqual(['on', ['message.created', true], ['lead.scored', false], 'on']);
});

test.each([
  [{ enqueue: 'queue' }, 'enqueue must be a function, got string.'],
  [{ enqueue: async () => {}, deliveryHeaders: 'x-id' }, 'deliveryHeaders must be a list, got string.'],
  ...['bad name', '', 1, undefined].map((name): [object, RegExp] => [
    { enqueue: async () => {}, deliveryHeaders: [name] },
    /deliveryHeaders must be a header name, got/,
  ]),
  [{ onqueue: () => {} }, /Did you mean `enqueue`/],
])('invalid options are refused: %o', (options, text) => {
  const create = () => createWebhooks({ secret, signature, ...(options as object) });
  expect(create).toThrow(WebhookConfigurationError);
  expect(create).toThrow(text);
});

const HASH = /^[0-9a-f]{64}$/;

test.each([
  ['msg_2f-Ab', /^msg_2f-Ab$/],
  ['evt:1', HASH],
  ['a/b+c=', HASH],
  ['12345', HASH],
  ['-7', HASH],
])(
  'queues accept the id of a delivery whose signed id is %s, as letters, digits, - and _',
  async (id, form) => {
    const options = { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', signature: standardWebhooks() };
    const { receiver, worker, next } = queued({ ...options, dedupe: {}, now: Date.now });
    const handled = vi.fn();
    worker.on('message.created', (_, context) => handled(context.id));
    for (let time = 0; time < 2; time += 1) {
      const request = await signedRequest('https://r.test/', message, { ...options, id });
      expect((await receiver.fetch(request)).status).toBe(200);
      const delivery = next();
      expect(delivery.id).toMatch(form);
      await worker.process(delivery);
    }
    expect(handled).toHaveBeenCalledTimes(1);
  },
);

test('a key of dedupe that has other characters is hashed in the id of a delivery', async () => {
  const { receiver, next } = queued({ dedupe: { key: ({ headers }) => headers.get('x-id') ?? undefined } });
  const ids: string[] = [];
  for (const key of ['d7', 'a:b', 'a b', 'ä', '7']) {
    await receiver.fetch(await post(message, { 'x-id': key }));
    ids.push(next().id);
  }
  expect(ids[0]).toMatch(/^d7-[0-9a-f]{64}$/);
  for (const id of ids.slice(1)) {
    expect(id).toMatch(/^[0-9a-f]{64}-[0-9a-f]{64}$/);
  }
  expect(new Set(ids).size).toBe(5);
});
