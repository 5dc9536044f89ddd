import type { ExecutionContext } from 'hono';
import { Hono } from 'hono';
import { createConfab, receiveForm } from './contact.ts';
import { createReceiver } from './receiver.ts';

/** The bindings of the Worker. */
export interface Env {
  readonly CONFAB_BASE_URL: string;
  readonly CONFAB_API_KEY: string;
  readonly WEBHOOK_SECRET: string;
}

const createApp = (env: Env): Hono => {
  const confab = createConfab({ baseUrl: env.CONFAB_BASE_URL, apiKey: env.CONFAB_API_KEY });
  const webhooks = createReceiver(confab, env.WEBHOOK_SECRET);

  const app = new Hono();
  app.post('/webhooks', (context) => webhooks.fetch(context.req.raw, context.executionCtx));
  app.post('/leads', async (context) => {
    const { status, headers, body } = await receiveForm(confab, await context.req.json().catch(() => null));
    return Response.json(body, { status, headers });
  });
  return app;
};

/** The Worker. Each request creates its own client, because timers and requests in a Worker belong to one request. */
export default {
  fetch: (request: Request, env: Env, context: ExecutionContext) =>
    createApp(env).fetch(request, env, context),
};
