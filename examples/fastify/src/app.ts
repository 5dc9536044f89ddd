import type { Confab, LeadCreate } from '@confab/client';
import type { Webhooks } from '@confab/webhooks';
import { fastifyWebhooks } from '@confab/webhooks/fastify';
import type { FastifyInstance } from 'fastify';
import fastify from 'fastify';
import { answerError } from './answer-error.ts';

/** What the contact form asks for. */
type Contact = Pick<LeadCreate, 'phone' | 'displayName' | 'email'>;

/** The whole application. */
export const createApp = ({ confab, webhooks }: { confab: Confab; webhooks: Webhooks }): FastifyInstance => {
  const app = fastify();
  app.setErrorHandler(answerError);

  // Its own scope keeps the body as it came; the routes below have theirs parsed as usual.
  app.register(fastifyWebhooks, { webhooks, path: '/webhooks' });

  // What the fields have to be is left to the client, which checks them before it sends them.
  const schema = { body: { type: 'object' } };
  app.post<{ Body: Contact }>('/contact', { schema }, async (request, reply) => {
    const { phone, displayName, email } = request.body;
    await confab.leads.ensure({ phone, displayName, email, source: 'website' });
    // The same whether or not the phone was known: that is nobody else's business.
    return reply.code(202).send({ received: true });
  });
  return app;
};
