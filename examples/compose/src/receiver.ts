/** A receiver of webhooks, which prints each message. */
import { createServer } from 'node:http';
import { createWebhooks } from '@confab/webhooks';
import { toNodeHandler } from '@confab/webhooks/node';

const webhooks = createWebhooks({
  secret: process.env.WEBHOOK_SECRET ?? '',
  signature: { header: 'x-webhook-signature' },
});

webhooks.on('message.created', ({ data }) => {
  console.log(`A lead wrote: ${data.body}`);
});

createServer(toNodeHandler(webhooks)).listen(3001, '0.0.0.0');
