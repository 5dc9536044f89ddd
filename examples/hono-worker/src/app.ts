import { createClient } from '@confab/client';
import { createWebhooks } from '@confab/webhooks';
import { Hono } from 'hono';
import { bearerAuth } from 'hono/bearer-auth';
import { answerError } from './answer-error.ts';

/** What the Worker is bound to. */
export interface Env {
  readonly CONFAB_BASE_URL: string;
  readonly CONFAB_API_KEY: string;
  readonly WEBHOOK_SECRET: string;
  /** What callers of `/leads` show: without it, the key of the Worker would serve everybody. */
  readonly TEAM_TOKEN: string;
}

/** The whole application. */
export const createApp = (env: Env): Hono => {
  const confab = createClient({
    baseUrl: env.CONFAB_BASE_URL,
    apiKey: env.CONFAB_API_KEY,
    // Somebody waits for the answer: rather say "later" than keep them in a queue for a minute.
    retry: { maxRetryAfter: 2_000 },
    rateLimit: false,
    deadline: 10_000,
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
  app.onError(answerError);
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
