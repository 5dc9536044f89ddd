import { Readable } from 'node:stream';
import { namesOf } from '@confab/internal';
import type { FastifyPluginAsync, RegisterOptions } from 'fastify';
import { checkNames } from '../options/check-names.ts';
import type { Receiver } from '../receive/receive.ts';
import { checkReceiver } from './check-receiver.ts';
import { afterResponse, chunksOf, closeIfUnread, isArriving, senderSignal } from './node-request.ts';
import { writeResponse } from './write-response.ts';

/** What `fastifyWebhooks` is registered with. */
export interface FastifyWebhooksOptions {
  webhooks: Receiver;
  /**
   * The route that receives deliveries, below the plugin's `prefix`.
   * @default '/'
   */
  path?: string | undefined;
}

const NAMES = namesOf<FastifyWebhooksOptions & RegisterOptions>({
  webhooks: true,
  path: true,
  prefix: true,
  logLevel: true,
  logSerializers: true,
});

const HINT =
  'Register fastifyWebhooks as it is, not through fastify-plugin: its own scope keeps the body parsers of the app away.';

/**
 * A Fastify plugin that receives deliveries. Its scope has a content-type parser of its own, which leaves the
 * body alone, whatever its type; the rest of the app parses as before. Fastify's `bodyLimit` does not apply:
 * `maxBodyBytes` does.
 *
 * @throws `WebhookConfigurationError` If it is not given a receiver, or an option is misspelled.
 *
 * @example
 * ```ts
 * app.register(fastifyWebhooks, { webhooks, path: '/webhooks' });
 * ```
 */
export const fastifyWebhooks: FastifyPluginAsync<FastifyWebhooksOptions> = async (app, options) => {
  checkNames('option of fastifyWebhooks', options, NAMES);
  const { webhooks, path = '/' } = options;
  checkReceiver('fastifyWebhooks', webhooks);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  app.addHook('onRequest', async (request) => {
    // Fastify answers 415 to a type that it cannot parse, such as "json", before any parser is asked. The signature is
    // what decides here, and handlers are given the headers as they came.
    if (request.headers['content-type'] !== undefined) {
      request.headers = { 'content-type': 'application/octet-stream' };
    }
  });
  app.all(path, async (request, reply) => {
    // Fastify runs no parser for a request without a body.
    const { body = null } = request;
    const answer = await webhooks.receive({
      method: request.method,
      headers: request.raw.rawHeaders,
      body: body instanceof Readable ? chunksOf(body) : body,
      signal: senderSignal(reply.raw),
      hint: HINT,
      afterResponse,
    });
    // A time guard may have answered meanwhile.
    if (reply.sent) {
      return reply;
    }
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
