import type { Confab, LeadCreate } from '@confab/client';
import type { Webhooks } from '@confab/webhooks';
import { fastifyWebhooks } from '@confab/webhooks/fastify';
import type { FastifyInstance } from 'fastify';
import fastify from 'fastify';
import { handleError } from './handle-error.ts';

/** The fields of the contact form. */
type Contact = Pick<LeadCreate, 'phone' | 'displayName' | 'email'>;

/** Creates the application. */
export const createApp = ({ confab, webhooks }: { confab: Confab; webhooks: Webhooks }): FastifyInstance => {
  const app = fastify();
  app.setErrorHandler(handleError);

  // The plugin keeps the raw body in its own scope. The routes below get parsed bodies as usual.
  app.register(fastifyWebhooks, { webhooks, path: '/webhooks' });

  // The client validates the fields before it sends them.
  const schema = { body: { type: 'object' } };
  app.post<{ Body: Contact }>('/contact', { schema }, async (request, reply) => {
    const { phone, displayName, email } = request.body;
    await confab.leads.ensure({ phone, displayName, email, source: 'website' });
    // The response does not reveal whether the phone was known.
    return reply.code(202).send({ received: true });
  });
  return app;
};
