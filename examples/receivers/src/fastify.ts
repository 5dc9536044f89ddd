import type { Confab } from '@confab/client';
import type { Webhooks } from '@confab/webhooks';
import { fastifyWebhooks } from '@confab/webhooks/fastify';
import type { FastifyInstance } from 'fastify';
import fastify from 'fastify';
import { receiveForm } from './contact.ts';

/** Creates the application in Fastify. */
export const createFastifyApp = (confab: Confab, webhooks: Webhooks): FastifyInstance => {
  const app = fastify();

  // The plugin keeps the raw body in its own scope. The routes below get parsed bodies as usual.
  app.register(fastifyWebhooks, { webhooks, path: '/webhooks' });

  app.post('/leads', async (request, reply) => {
    const { status, headers, body } = await receiveForm(confab, request.body);
    return reply.code(status).headers(headers).send(body);
  });
  return app;
};
