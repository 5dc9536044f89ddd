import { createMemoryDedupeStore, createWebhooks, signedRequest } from '@confab/webhooks';
import { toLambdaHandler } from '@confab/webhooks/lambda';
import { afterEach, expect, test, vi } from 'vitest';
import { send, startHost } from './support/hosts.ts';
import { createReceiver, message, standard } from './support/receiver.ts';

afterEach(() => void vi.useRealTimers());

const request = (id?: string) => signedRequest('https://r.test/', message, { ...standard, id });

test('a receiver that was created before the clock was replaced follows the new clock', async () => {
  const webhooks = createWebhooks(standard);
  vi.useFakeTimers({ now: new Date('2024-01-01T00:00:00Z') });
  const genuine = await request();
  expect((await webhooks.fetch(genuine.clone())).status).toBe(200);
  vi.setSystemTime('2024-01-01T00:05:01Z');
  expect((await webhooks.fetch(genuine)).status).toBe(401);
});

test.each([
  ['of its own', undefined],
  ['that was passed to it', createMemoryDedupeStore()],
])(
  'a receiver with a memory store %s forgets deliveries after ttlSeconds of a replaced clock',
  async (_, store) => {
    const webhooks = createWebhooks({ ...standard, dedupe: { store, ttlSeconds: 600 } });
    const handled = vi.fn();
    webhooks.onAny(handled);
    vi.useFakeTimers({ now: new Date('2024-01-01T00:00:00Z') });
    for (const time of ['00:00:00', '00:09:59', '00:10:00']) {
      vi.setSystemTime(`2024-01-01T${time}Z`);
      await webhooks.fetch(await request('msg_1'));
    }
    expect(handled).toHaveBeenCalledTimes(2);
  },
);

const everyTimer = ['setTimeout', 'setInterval', 'setImmediate', 'Date', 'performance'] as const;

test.each(['node:http', 'Fastify'] as const)(
  '%s: onError is called while every timer is replaced',
  async (name) => {
    const { webhooks } = createReceiver();
    const reported = Promise.withResolvers<string>();
    webhooks.onError(({ code }) => reported.resolve(code));
    const url = await startHost(name, webhooks);
    vi.useFakeTimers({ toFake: [...everyTimer] });
    expect(await send(url, '{}', {})).toMatchObject({ status: 401 });
    expect(await reported.promise).toBe('MISSING_SIGNATURE');
  },
);

test('Lambda: the function waits for onError while every timer is replaced', async () => {
  const { webhooks, errors } = createReceiver();
  vi.useFakeTimers({ toFake: [...everyTimer] });
  const { statusCode } = await toLambdaHandler(webhooks)({ httpMethod: 'POST', headers: {}, body: '{}' });
  expect([statusCode, errors]).toMatchObject([401, [{ code: 'MISSING_SIGNATURE' }]]);
});
