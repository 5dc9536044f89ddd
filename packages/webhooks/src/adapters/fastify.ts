/**
 * Receives webhooks with Fastify.
 *
 * @packageDocumentation
 */

import { Readable } from 'node:stream';
import { anyValue } from '@confab/internal';
import type { FastifyPluginAsync, RegisterOptions } from 'fastify';
import { checkOptions, isText } from '../option-checks.ts';
import type { Receiver } from '../receive.ts';
import {
  afterResponse,
  chunksOf,
  closeIfUnread,
  isArriving,
  senderSignal,
  writeResponse,
} from './node-http.ts';
import { checkReceiver } from './receive-safely.ts';

/** Options of {@link fastifyWebhooks}. */
export interface FastifyWebhooksOptions {
  /** The receiver, from `createWebhooks`. */
  webhooks: Receiver;
  /**
   * The path of the route that receives deliveries, relative to the plugin's `prefix`.
   * @default '/'
   */
  path?: string | undefined;
}

const HINT =
  'Register fastifyWebhooks directly, not through fastify-plugin, because its own scope keeps the body parsers of the app away.';

/**
 * A Fastify plugin that receives deliveries. In its own scope, a content-type parser leaves the body alone, whatever its
 * type; the rest of the app parses bodies as before. The limit on the body is `maxBodyBytes`, not Fastify's `bodyLimit`.
 *
 * @throws {@link @confab/webhooks!WebhookConfigurationError | WebhookConfigurationError} When `webhooks` is
 * not a receiver, or an option is misspelled.
 *
 * @example
 * ```ts
 * app.register(fastifyWebhooks, { webhooks, path: '/webhooks' });
 * ```
 */
export const fastifyWebhooks: FastifyPluginAsync<FastifyWebhooksOptions> = async (app, options) => {
  checkOptions<FastifyWebhooksOptions & RegisterOptions>('option of fastifyWebhooks', options, {
    webhooks: anyValue,
    path: isText,
    prefix: anyValue,
    logLevel: anyValue,
    logSerializers: anyValue,
  });
  const { webhooks, path = '/' } = options;
  checkReceiver('fastifyWebhooks', webhooks);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  app.addHook('onRequest', async (request) => {
    // Fastify responds with 415 to an invalid content type, such as "json", before it calls any parser. Here the
    // signature decides, and handlers receive the original headers.
    if (request.headers['content-type'] !== undefined) {
      request.headers = { 'content-type': 'application/octet-stream' };
    }
  });
  app.all(path, async (request, reply) => {
    // Fastify does not run a parser for a request without a body.
    const { body = null } = request;
    const response = await webhooks.receive({
      method: request.method,
      headers: request.raw.rawHeaders,
      body: body instanceof Readable ? chunksOf(body) : body,
      signal: senderSignal(reply.raw),
      hint: HINT,
      afterResponse,
    });
    // A timeout hook may have replied in the meantime.
    if (reply.sent) {
      return reply;
    }
    if (!isArriving(request.raw)) {
      const headers = { ...response.headers, ...closeIfUnread(request.raw) };
      return reply.code(response.status).headers(headers).send(response.body);
    }
    // Fastify would close the connection at once, and the sender would lose the response.
    reply.hijack();
    writeResponse(request.raw, reply.raw, response);
    return reply;
  });
};
