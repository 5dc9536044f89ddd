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
  app.post('/webhooks', (context) => webhooks.fetch(context.req.raw));
  app.post('/leads', async (context) => {
    const { status, headers, body } = await receiveForm(confab, await context.req.json().catch(() => null));
    return Response.json(body, { status, headers });
  });
  return app;
};

/** The application, kept between requests, which share its client and limiter. */
let app: Hono | undefined;

/** The Worker. It gets its bindings with the first request. */
export default {
  fetch(request: Request, env: Env): Response | Promise<Response> {
    app ??= createApp(env);
    return app.fetch(request);
  },
};
