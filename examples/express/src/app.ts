import type { Confab } from '@confab/client';
import type { Webhooks } from '@confab/webhooks';
import { toNodeHandler } from '@confab/webhooks/node';
import type { Express } from 'express';
import express from 'express';
import { answerError } from './answer-error.ts';

/** The whole application. */
export const createApp = ({ confab, webhooks }: { confab: Confab; webhooks: Webhooks }): Express => {
  const app = express();

  // Before any body parser: the signature is over the bytes as they came.
  app.post('/webhooks', toNodeHandler(webhooks));

  app.use(express.json());
  app.post('/contact', async (request, response) => {
    // Field by field, so that no visitor chooses a pipeline. The client checks them before anything is sent.
    const { phone, displayName, email } = request.body ?? {};
    await confab.leads.ensure({ phone, displayName, email, source: 'website' });
    // The same whether or not the phone was known: that is nobody else's business.
    response.status(202).json({ received: true });
  });

  app.use(answerError);
  return app;
};
