import type { DedupeStore, Webhooks } from '@confab/webhooks';
import { createMemoryDedupeStore, createWebhooks, sign } from '@confab/webhooks';
import { toLambdaHandler } from '@confab/webhooks/lambda';
import { expect, test, vi } from 'vitest';
import { hosts, send } from './support/hosts.ts';
import { expectNoUnhandledRejections } from './support/no-unhandled-rejections.ts';

const secret = 'a secret of the test';
const signature = { header: 'x-signature' };
const text = JSON.stringify({
  event: 'message.created',
  data: { conversationId: 'c1', channel: 'web', body: 'Hello' },
});
const genuine = await sign(text, { secret, signature });
const post = (headers: Record<string, string>) =>
  new Request('https://r.test/', { method: 'POST', body: text, headers });

const never = () => new Promise<never>(() => {});

// No failure of a task after the response may reach the process.
expectNoUnhandledRejections();

test.for(hosts)('$name: a hanging onError handler delays no response', async (host) => {
  const webhooks = createWebhooks({ secret, signature });
  const codes: string[] = [];
  webhooks.onError(({ code }) => {
    codes.push(code);
    return never();
  });
  await using server = await host.start(webhooks);
  for (let time = 0; time < 2; time += 1) {
    expect(await send(server, text, {})).toMatchObject({ status: 401 });
  }
  expect(codes).toEqual(['MISSING_SIGNATURE', 'MISSING_SIGNATURE']);
});

test.for(hosts)(
  '$name: an onError handler that throws or rejects does not change the response',
  async (host) => {
    const webhooks = createWebhooks({ secret, signature });
    webhooks.onError(() => {
      throw new Error('log server down');
    });
    webhooks.onError(() => Promise.reject(new Error('log server down')));
    await using server = await host.start(webhooks);
    expect(await send(server, text, {})).toMatchObject({ status: 401 });
  },
);

test.for(hosts.filter(({ name }) => /node:http|Connect|Express|Fastify/.test(name)))(
  '$name: onError handlers run after the response is written',
  async (host) => {
    const webhooks = createWebhooks({ secret, signature });
    const order: string[] = [];
    const { promise: reported, resolve } = Promise.withResolvers<void>();
    webhooks.onError(() => {
      order.push('reported');
      resolve();
    });
    const receive: typeof webhooks.receive = async (request) => {
      const response = await webhooks.receive(request);
      order.push('responded');
      return response;
    };
    await using server = await host.start({ ...webhooks, receive });
    await send(server, text, {});
    await reported;
    expect(order).toEqual(['responded', 'reported']);
  },
);

const storeWith = (changes: Partial<DedupeStore>): DedupeStore => ({
  ...createMemoryDedupeStore(),
  ...changes,
});

test.each<[title: string, Partial<DedupeStore>, status: number]>([
  ['complete() hangs', { complete: never }, 200],
  ['release() hangs', { release: never }, 500],
  [
    'complete() throws',
    {
      complete: () => {
        throw new Error('store down');
      },
    },
    200,
  ],
  ['complete() rejects', { complete: () => Promise.reject(new Error('store down')) }, 200],
  [
    'release() throws',
    {
      release: () => {
        throw new Error('store down');
      },
    },
    500,
  ],
])('the response is sent even if %s and onError hangs', async (_, changes, status) => {
  const webhooks = createWebhooks({
    secret,
    signature,
    dedupe: { key: () => 'key', store: storeWith(changes) },
  });
  webhooks.on('message.created', () => {
    if (status === 500) {
      throw new Error('database down');
    }
  });
  webhooks.onError(never);
  expect((await webhooks.fetch(post(genuine))).status).toBe(status);
});

test('a store failure after the response is reported', async () => {
  const down = Promise.withResolvers<void>();
  const webhooks = createWebhooks({
    secret,
    signature,
    dedupe: { key: () => 'key', store: storeWith({ complete: () => down.promise }) },
  });
  webhooks.on('message.created', () => {});
  const { promise: reported, resolve } = Promise.withResolvers<Error>();
  webhooks.onError(resolve);
  expect((await webhooks.fetch(post(genuine))).status).toBe(200);
  down.reject(new Error('store down'));
  expect(await reported).toMatchObject({
    message: expect.stringContaining('dedupe.store.complete() failed'),
    cause: new Error('store down'),
  });
});

test('a healthy store completes the key before the response', async () => {
  const order: string[] = [];
  const slow = storeWith({
    complete: async () => {
      for (let turn = 0; turn < 50; turn += 1) {
        await new Promise(setImmediate);
      }
      order.push('completed');
    },
  });
  const webhooks = createWebhooks({ secret, signature, dedupe: { key: () => 'key', store: slow } });
  webhooks.on('message.created', () => {});
  expect((await webhooks.fetch(post(genuine))).status).toBe(200);
  order.push('responded');
  expect(order).toEqual(['completed', 'responded']);
});

test('waitUntil() is called as a method of its object, whichever argument that is', async () => {
  const webhooks = createWebhooks({ secret, signature });
  const { promise: logged, resolve } = Promise.withResolvers<void>();
  let done = false;
  webhooks.onError(async () => {
    await logged;
    done = true;
  });
  class ExecutionContext {
    readonly #work: Promise<unknown>[] = [];
    waitUntil(work: Promise<unknown>) {
      this.#work.push(work);
    }
    ended = () => Promise.all(this.#work);
  }
  const [first, second] = [new ExecutionContext(), new ExecutionContext()];
  expect((await webhooks.fetch(post({}), first)).status).toBe(401);
  expect((await webhooks.fetch(post({}), { BINDING: 1 }, second)).status).toBe(401);
  expect(done).toBe(false);
  resolve();
  expect(await first.ended()).toHaveLength(1);
  expect(await second.ended()).toHaveLength(1);
  expect(done).toBe(true);
});

const refuse = () => {
  throw new Error('the request has ended');
};

test.each<[title: string, deliver: (webhooks: Webhooks) => Promise<{ status: number }>]>([
  ['a waitUntil()', ({ fetch }) => fetch(post({}), { waitUntil: refuse })],
  [
    'an afterResponse()',
    ({ receive }) => receive({ method: 'POST', headers: {}, body: text, afterResponse: refuse }),
  ],
])('%s that throws changes no response, and onError handlers still run once', async (_, deliver) => {
  const webhooks = createWebhooks({ secret, signature });
  const codes: string[] = [];
  webhooks.onError(({ code }) => codes.push(code));
  expect((await deliver(webhooks)).status).toBe(401);
  expect(codes).toEqual(['MISSING_SIGNATURE']);
});

test('Lambda waits up to one second for onError handlers', async () => {
  vi.useFakeTimers();
  try {
    const webhooks = createWebhooks({ secret, signature });
    const handler = toLambdaHandler(webhooks);
    let logged = false;
    const off = webhooks.onError(async () => {
      await new Promise((resolve) => setTimeout(resolve, 900));
      logged = true;
    });
    const event = { httpMethod: 'POST', headers: {}, body: text };
    const first = handler(event);
    await vi.advanceTimersByTimeAsync(900);
    expect([(await first).statusCode, logged]).toEqual([401, true]);
    off();
    webhooks.onError(never);
    const second = handler(event);
    await vi.advanceTimersByTimeAsync(1000);
    expect((await second).statusCode).toBe(401);
  } finally {
    vi.useRealTimers();
  }
});
