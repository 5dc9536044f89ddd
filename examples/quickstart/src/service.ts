import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMock } from '@confab/mock';
import { serve } from '@confab/mock/server';
import type { KnownEvent, MessageCreated } from '@confab/webhooks';
import { createWebhooks } from '@confab/webhooks';
import { toNodeHandler } from '@confab/webhooks/node';
import { buildInspector } from './build-inspector.ts';

/**
 * Starts what a real account already has: the service, here a mock on a free loopback port, and a receiver of its webhooks,
 * on node:http. Both share a secret.
 */
export const startService = async () => {
  const mock = createMock({ data: 'demo', clock: 'system' });
  const api = await serve(mock);

  const secret = randomBytes(32).toString('hex');
  const signature = { header: 'x-webhook-signature', encoding: 'hex' } as const;
  const webhooks = createWebhooks({ secret, signature });
  const nextMessage = (): Promise<KnownEvent<'message.created', MessageCreated>> =>
    new Promise((resolve) => {
      const off = webhooks.on('message.created', (event) => {
        off();
        resolve(event);
      });
    });

  const receiver = createServer(toNodeHandler(webhooks)).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/webhooks`;
  mock.webhooks.add({ url: receiverUrl, secret, signature });

  return {
    baseUrl: api.url,
    receiverUrl,
    apiKey: mock.apiKey,
    readOnlyKey: mock.keys.create({ scopes: ['read:leads'] }).key,
    /** Allows five requests in any two seconds, to keep the wait short. */
    slowKey: mock.keys.create({ rateLimit: { requests: 5, perMs: 2_000 } }).key,
    /** Resolves with the next verified delivery. */
    nextMessage,
    /** Starts the inspector of the mock, and resolves to its address. */
    async inspect() {
      await buildInspector();
      return (await mock.inspect()).url;
    },
    async close() {
      receiver.close();
      await mock.close();
    },
  };
};
