import { eventually, turns } from '@confab/internal/test-support';
import type { DedupeStore, Inbox, StandardSchema, Webhooks, WebhooksOptions } from '@confab/webhooks';
import { createMemoryDedupeStore, createWebhooks, sign } from '@confab/webhooks';
import { toLambdaHandler } from '@confab/webhooks/lambda';
import { expect, test, vi } from 'vitest';
import { createReceiver, message, requestWith, secret, signature } from './support/receiver.ts';
import { replaceTimeouts } from './support/timeouts.ts';

// Vitest reports an unhandled rejection, which would end a process, as an error of the whole run.

const body = JSON.stringify(message);
const genuine = await sign(body, { secret, signature });
const job = { id: '1', ...message, receivedAt: '2026-01-31T12:00:00.000Z', headers: {} };
const down = new Error('down');
const broken = (): never => {
  throw down;
};
const rejected = () => Promise.reject(down);
const never = () => new Promise<never>(() => {});

const schema = (validate: StandardSchema['~standard']['validate']): Partial<WebhooksOptions> => ({
  events: { 'message.created': { '~standard': { version: 1, vendor: 'test', validate } } },
});
const store = (changes: Partial<DedupeStore>): Partial<WebhooksOptions> => ({
  dedupe: { key: () => 'key', store: { ...createMemoryDedupeStore(), ...changes } },
});
const inbox = (run: () => unknown): Partial<WebhooksOptions> => ({
  dedupe: { key: () => 'key', run: run as Inbox<undefined>['run'] },
});

test.each<[part: string, options: Partial<WebhooksOptions>]>([
  ['A schema', schema(broken)],
  ['dedupe.key()', { dedupe: { key: broken } }],
  ['dedupe.key()', { dedupe: { key: broken }, enqueue: async () => {} }],
  ['dedupe.store.claim()', store({ claim: rejected })],
  ['dedupe.run()', inbox(broken)],
  ['enqueue', { enqueue: broken }],
])('an error names the part that failed: %s', async (part, options) => {
  const { webhooks, deliver, errors } = createReceiver(options);
  const failure = {
    code: 'RECEIVER_FAILED',
    message: `${part} failed; see the cause. The sender or the queue should retry.`,
    cause: down,
  };
  expect([await deliver(), errors]).toMatchObject([500, [failure]]);
  if (options.enqueue === undefined && part !== 'dedupe.key()') {
    const text = `${part} failed: down. The sender or the queue should retry.`;
    await expect(webhooks.process(job)).rejects.toMatchObject({ ...failure, message: text });
  }
});

test.each<[title: string, options: Partial<WebhooksOptions>, shown: string]>([
  ['an inbox that returns nothing', inbox(async () => undefined), 'undefined'],
  ['an inbox with an unknown state', inbox(async () => ({ state: 'done' })), '"done"'],
  [
    'a store with an unknown state',
    store({ claim: () => 'x'.repeat(10_000) as never }),
    'a string of 10000 characters',
  ],
])('a delivery fails with %s', async (_, options, shown) => {
  const { webhooks, deliver, handled, errors } = createReceiver(options);
  const problem = `\`dedupe\` must return one of claimed, running, completed, got ${shown}. `;
  const failure = { code: 'RECEIVER_FAILED', message: expect.stringContaining(problem) };
  expect([await deliver(), errors, handled]).toMatchObject([500, [failure], []]);
  await expect(webhooks.process(job)).rejects.toMatchObject(failure);
});

test.each(['claimed', 'running'] as const)(
  'a claim() that hangs for five seconds fails the delivery, and is released if it succeeds late: %s',
  async (late) => {
    replaceTimeouts();
    const claiming = Promise.withResolvers<typeof late>();
    const claim = vi.fn(() => claiming.promise);
    const release = vi.fn(broken);
    const { webhooks, handled, errors } = createReceiver(store({ claim, release }));
    const response = webhooks.receive({ method: 'POST', headers: genuine, body });
    await eventually(() => expect(claim).toHaveBeenCalled());
    await vi.advanceTimersByTimeAsync(5_000);
    expect((await response).status).toBe(500);
    const slow = /^dedupe\.store\.claim\(\) took longer than 5000 ms\. The handlers did not run\./;
    expect(errors).toMatchObject([{ message: expect.stringMatching(slow) }]);
    claiming.resolve(late);
    await vi.advanceTimersByTimeAsync(1);
    expect([release.mock.calls.length, handled]).toEqual([late === 'claimed' ? 1 : 0, []]);
  },
);

test.each<[title: string, changes: Partial<DedupeStore>, status: number]>([
  ['complete() hangs', { complete: never }, 200],
  ['release() hangs', { release: never }, 500],
])('the response is sent even if %s and onError hangs', async (_, changes, status) => {
  const { webhooks, deliver } = createReceiver(store(changes));
  if (status === 500) {
    webhooks.onAny(broken);
  }
  webhooks.onError(never);
  expect(await deliver()).toBe(status);
});

test.each<[title: string, deliver: (webhooks: Webhooks) => Promise<unknown>]>([
  ['the response', async ({ fetch }) => fetch(await requestWith())],
  ['process()', ({ process }) => process(job)],
])('a failure of the store after %s is reported to onError', async (_, deliver) => {
  const completing = Promise.withResolvers<void>();
  const { webhooks, errors } = createReceiver(store({ complete: () => completing.promise }));
  await deliver(webhooks);
  completing.reject(down);
  await eventually(() =>
    expect(errors).toMatchObject([
      { message: expect.stringContaining('dedupe.store.complete() failed'), cause: down },
    ]),
  );
});

test('the response waits for a healthy store to complete the key', async () => {
  const order: string[] = [];
  const complete = async () => {
    await turns(50);
    order.push('completed');
  };
  const { deliver } = createReceiver(store({ complete }));
  expect(await deliver()).toBe(200);
  order.push('responded');
  expect(order).toEqual(['completed', 'responded']);
});

const forged = () => requestWith(message, { secret: 'guess' });

test('waitUntil() of a host is called as a method of its object, whichever argument of fetch() that is', async () => {
  const { webhooks } = createReceiver();
  const logged = Promise.withResolvers<void>();
  webhooks.onError(() => logged.promise);
  class ExecutionContext {
    readonly #work: Promise<unknown>[] = [];
    waitUntil = function (this: ExecutionContext, work: Promise<unknown>) {
      this.#work.push(work);
    };
    ended = () => Promise.all(this.#work);
  }
  const context = new ExecutionContext();
  expect((await webhooks.fetch(await forged(), context)).status).toBe(401);
  expect((await webhooks.fetch(await forged(), { BINDING: 1 }, context)).status).toBe(401);
  logged.resolve();
  expect(await context.ended()).toEqual([undefined, undefined]);
});

test.each<[title: string, deliver: (webhooks: Webhooks) => Promise<{ status: number }>]>([
  ['a waitUntil()', async ({ fetch }) => fetch(await forged(), { waitUntil: broken })],
  [
    'an afterResponse()',
    ({ receive }) => receive({ method: 'POST', headers: {}, body, afterResponse: broken }),
  ],
])('%s that throws does not change the response, and onError handlers still run once', async (_, deliver) => {
  const { webhooks, errors } = createReceiver();
  expect((await deliver(webhooks)).status).toBe(401);
  expect(errors).toHaveLength(1);
});

test('Lambda waits up to one second for onError handlers', async () => {
  replaceTimeouts();
  const webhooks = createWebhooks({ secret, signature });
  const handler = toLambdaHandler(webhooks);
  const event = { httpMethod: 'POST', headers: {}, body };
  const logged = vi.fn();
  webhooks.onError(async () => {
    await new Promise((resolve) => setTimeout(resolve, 900));
    logged();
  });
  const first = handler(event).then(({ statusCode }) => [statusCode, logged.mock.calls.length]);
  await vi.advanceTimersByTimeAsync(900);
  expect(await first).toEqual([401, 1]);
  webhooks.onError(never);
  const second = handler(event);
  await vi.advanceTimersByTimeAsync(1000);
  expect((await second).statusCode).toBe(401);
});
