import type { Confab } from '@confab/client';
import type { Webhooks } from '@confab/webhooks';
import { toNodeHandler } from '@confab/webhooks/node';
import type { Express } from 'express';
import express from 'express';
import { receiveForm } from './contact.ts';

/** Creates the application in Express. */
export const createExpressApp = (confab: Confab, webhooks: Webhooks): Express => {
  const app = express();

  // Before any body parser, because the signature covers the raw bytes.
  app.post('/webhooks', toNodeHandler(webhooks));

  app.use(express.json());
  app.post('/leads', async (request, response) => {
    const { status, headers, body } = await receiveForm(confab, request.body);
    response.status(status).set(headers).json(body);
  });
  return app;
};
