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
  chunksOf,
  closeHeaderIfUnread,
  createAfterResponse,
  createSenderSignal,
  isArriving,
  writeResponse,
} from './node-http.ts';
import { checkReceiver, receiveSafely } from './receive-safely.ts';

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
 * @throws A {@link @confab/webhooks!WebhookConfigurationError | WebhookConfigurationError} when `webhooks` is
 * not a receiver, or an option is misspelled.
 *
 * @example
 * ```ts
 * app.register(fastifyWebhooks, { webhooks, path: '/webhooks' });
 * ```
 */
export const fastifyWebhooks: FastifyPluginAsync<FastifyWebhooksOptions> = async (app, options) => {
  checkOptions<FastifyWebhooksOptions & RegisterOptions>('fastifyWebhooks option', options, {
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
    // Fastify responds with 415 to an invalid content type, such as "json", without calling a parser. It also calls none if
    // the type and the length are missing, as HTTP/2 allows. With these headers, it always calls the parser above. The
    // receiver gets the original headers.
    request.headers = { 'content-type': 'application/octet-stream' };
  });
  app.all(path, async (request, reply) => {
    const { body } = request;
    const { afterResponse, written } = createAfterResponse();
    const response = await receiveSafely(webhooks, () => ({
      method: request.method,
      url: request.originalUrl,
      headers: request.raw.rawHeaders,
      body: body instanceof Readable ? chunksOf(body) : body,
      signal: createSenderSignal(reply.raw),
      hint: HINT,
      afterResponse,
    }));
    if (reply.sent) {
      // A timeout hook may have replied in the meantime.
    } else if (isArriving(request.raw)) {
      // Fastify would close the connection at once, and the sender would not get the response.
      reply.hijack();
      writeResponse(request.raw, reply.raw, response);
    } else {
      const headers = { ...response.headers, ...closeHeaderIfUnread(request.raw) };
      reply.code(response.status).headers(headers).send(response.body);
    }
    written();
    return reply;
  });
};
