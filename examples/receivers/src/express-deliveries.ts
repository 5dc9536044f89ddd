import { createWebhooks } from '@confab/webhooks';
import { toNodeHandler } from '@confab/webhooks/node';
import express from 'express';

/** Creates an application that prints each message once. */
export const createApp = (secret: string) => {
  const webhooks = createWebhooks({
    secret,
    signature: { header: 'x-webhook-signature' },
    dedupe: { key: ({ headers }) => headers.get('x-delivery-id') ?? undefined },
  });
  webhooks.on('message.created', ({ data }) => console.log(data.conversationId, data.body));
  webhooks.onError((error) => console.error(error.code, error.message, error.cause));

  const app = express();
  app.post('/webhooks', toNodeHandler(webhooks)); // before any body parser
  app.use(express.json());
  return app;
};
