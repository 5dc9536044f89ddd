import type { Confab } from '@confab/client';
import type { Webhooks } from '@confab/webhooks';
import { toNodeHandler } from '@confab/webhooks/node';
import type { Express } from 'express';
import express from 'express';
import { handleError } from './handle-error.ts';

/** Creates the application. */
export const createApp = ({ confab, webhooks }: { confab: Confab; webhooks: Webhooks }): Express => {
  const app = express();

  // Before any body parser, because the signature covers the raw bytes.
  app.post('/webhooks', toNodeHandler(webhooks));

  app.use(express.json());
  app.post('/contact', async (request, response) => {
    // Fields are picked one by one, or visitors could choose a pipeline. The client validates them before it sends them.
    const { phone, displayName, email } = request.body ?? {};
    await confab.leads.ensure({ phone, displayName, email, source: 'website' });
    // The response does not reveal whether the phone was known.
    response.status(202).json({ received: true });
  });

  app.use(handleError);
  return app;
};
