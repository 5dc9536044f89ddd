import { createClient } from '@confab/client';
import { createWebhooks } from '@confab/webhooks';
import { Hono } from 'hono';
import { bearerAuth } from 'hono/bearer-auth';
import { handleError } from './handle-error.ts';

/** The bindings of the Worker. */
export interface Env {
  readonly CONFAB_BASE_URL: string;
  readonly CONFAB_API_KEY: string;
  readonly WEBHOOK_SECRET: string;
  /** The token that callers of `/leads` must send. Without it, anyone could use the Worker's API key. */
  readonly TEAM_TOKEN: string;
}

/** Creates the application. */
export const createApp = (env: Env): Hono => {
  const confab = createClient({
    baseUrl: env.CONFAB_BASE_URL,
    apiKey: env.CONFAB_API_KEY,
    // Callers wait for the response. A "try again later" at once is better than a minute in a queue.
    retry: { maxRetryAfter: 2_000 },
    rateLimit: false,
    totalTimeout: 10_000,
  });
  const webhooks = createWebhooks({
    secret: env.WEBHOOK_SECRET,
    signature: { header: 'x-webhook-signature' },
  });
  webhooks.on('message.created', async ({ data }) => {
    const { leadId } = await confab.conversations.get(data.conversationId, { messagesLimit: 1 });
    if (leadId === null) {
      return;
    }
    const lead = await confab.leads.get(leadId);
    if (lead.status === 'new') {
      await confab.leads.update(leadId, { status: 'active' });
    }
  });
  webhooks.onError((error) => console.error(error.code, error.message, error.cause));

  const app = new Hono();
  app.onError(handleError);
  app.post('/webhooks', (context) => webhooks.fetch(context.req.raw));
  app.get('/leads', bearerAuth({ token: env.TEAM_TOKEN }), async (context) => {
    const { status, offset = '0' } = context.req.query();
    const { data, meta } = await confab.leads.list({ status, offset: Number(offset), limit: 10 });
    return context.json({
      total: meta.total,
      leads: data.map(({ id, displayName }) => ({ id, displayName })),
    });
  });
  return app;
};
