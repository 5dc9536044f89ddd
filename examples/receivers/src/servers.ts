/** Serves each of the applications on a loopback port. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { createConfab } from './contact.ts';
import { createExpressApp } from './express.ts';
import { createFastifyApp } from './fastify.ts';
import type { Env } from './hono.ts';
import { createReceiver } from './receiver.ts';

const serveNode = async (server: Server, port: number): Promise<Server> => {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
};

const createParts = (env: Env) => {
  const confab = createConfab({ baseUrl: env.CONFAB_BASE_URL, apiKey: env.CONFAB_API_KEY });
  return [confab, createReceiver(confab, env.WEBHOOK_SECRET)] as const;
};

/** Functions that each start one application, configured by its environment. */
export const SERVERS: Readonly<Record<string, (env: Env, port: number) => Promise<Server>>> = {
  express: (env, port) => serveNode(createServer(createExpressApp(...createParts(env))), port),
  fastify: async (env, port) => {
    const app = createFastifyApp(...createParts(env));
    await app.listen({ port, host: '127.0.0.1' });
    return app.server;
  },
  hono: async (env, port) => {
    const { default: worker } = await import('./hono.ts');
    // Node keeps running after a response.
    const context = { waitUntil: () => {}, passThroughOnException: () => {}, props: {} };
    return serveNode(
      createServer(getRequestListener((request) => worker.fetch(request, env, context))),
      port,
    );
  },
  // Next.js calls the handlers of its routes by path and method, with a web-standard `Request`.
  next: async (env, port) => {
    Object.assign(process.env, env);
    const leads = await import('./next/app/api/leads/route.ts');
    const webhooks = await import('./next/app/api/webhooks/route.ts');
    const respond = (request: Request) =>
      new URL(request.url).pathname === '/webhooks' ? webhooks.POST(request) : leads.POST(request);
    return serveNode(createServer(getRequestListener(respond)), port);
  },
};

/** Returns the address of a server. */
export const urlOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
