import { Readable } from 'node:stream';
import type { FastifyPluginAsync } from 'fastify';
import type { Receiver } from '../receive/receive.ts';
import { chunksOf, closeIfUnread, isArriving, senderSignal } from './node-request.ts';
import { writeResponse } from './write-response.ts';

/** What `fastifyWebhooks` is registered with. */
export interface FastifyWebhooksOptions {
  webhooks: Receiver;
  /**
   * The route that receives deliveries, below the plugin's `prefix`.
   * @default '/'
   */
  path?: string;
}

const HINT =
  'Register fastifyWebhooks as it is, not through fastify-plugin: its own scope keeps the body parsers of the app away.';

/**
 * A Fastify plugin that receives deliveries. Its scope has a content-type parser of its own, which leaves the
 * body alone; the rest of the app parses as before. Fastify's `bodyLimit` does not apply: `maxBodyBytes` does.
 *
 * @example
 * ```ts
 * app.register(fastifyWebhooks, { webhooks, path: '/webhooks' });
 * ```
 */
export const fastifyWebhooks: FastifyPluginAsync<FastifyWebhooksOptions> = async (
  app,
  { webhooks, path = '/' },
) => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  app.all(path, async (request, reply) => {
    // Fastify runs no parser for a request without a body.
    const { body = null } = request;
    const answer = await webhooks.receive({
      method: request.method,
      headers: request.raw.rawHeaders,
      body: body instanceof Readable ? chunksOf(body) : body,
      signal: senderSignal(reply.raw),
      hint: HINT,
    });
    if (!isArriving(request.raw)) {
      const headers = { ...answer.headers, ...closeIfUnread(request.raw) };
      return reply.code(answer.status).headers(headers).send(answer.body);
    }
    // Fastify would close at once, and the sender lose its answer.
    reply.hijack();
    writeResponse(request.raw, reply.raw, answer);
    return reply;
  });
};
