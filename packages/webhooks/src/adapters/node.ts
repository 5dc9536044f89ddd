/**
 * Receives webhooks with node:http and Express.
 *
 * @packageDocumentation
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { WebhookConfigurationError } from '../errors.ts';
import type { HeadersLike } from '../headers.ts';
import type { Receiver } from '../receive.ts';
import { chunksOf, createAfterResponse, createSenderSignal, writeResponse } from './node-http.ts';
import { checkReceiver, receiveSafely } from './receive-safely.ts';

/** A request after body parsers. */
type ParsedRequest = IncomingMessage & {
  readonly body?: unknown;
  readonly rawBody?: unknown;
  /** In Express, the URL before a router has removed its mount path. */
  readonly originalUrl?: string;
};

const HINT =
  'Register this route before express.json() and other body parsers; express.raw() cannot help after them. Or keep the bytes: express.json({ verify: (req, res, bytes) => { req.rawBody = bytes; } }). In a Next.js API route, export const config = { api: { bodyParser: false } }.';

// `headers` joins or drops repeated headers, but serverless-http and test doubles have no raw headers.
const readRequestHeaders = ({ rawHeaders, headers }: IncomingMessage): HeadersLike =>
  rawHeaders?.length > 0 ? rawHeaders : headers;

/** Whether the body can still be read. A test double, such as that of node-mocks-http, is not a stream. */
const isUnread = ({ readableDidRead, readableEnded }: IncomingMessage): boolean =>
  readableDidRead === false && !readableEnded;

const readRequestBody = (request: ParsedRequest): unknown =>
  // An unread stream takes precedence: Express 4 sets `body` to {} even when it parsed nothing.
  isUnread(request) ? chunksOf(request) : (request.rawBody ?? request.body);

/**
 * Creates a request handler for node:http, Express and Connect. It reads the raw body itself, always responds (unless
 * something else, such as a timeout middleware, already has), and never rejects, unless another framework calls it.
 *
 * @throws A {@link @confab/webhooks!WebhookConfigurationError | WebhookConfigurationError} when `webhooks` is
 * not a receiver.
 *
 * @example
 * ```ts
 * createServer(toNodeHandler(webhooks)).listen(3000);
 * // or, before any body parser:
 * app.post('/webhooks', toNodeHandler(webhooks));
 * ```
 */
export const toNodeHandler = (
  webhooks: Receiver,
): ((request: IncomingMessage, response: ServerResponse) => Promise<void>) => {
  checkReceiver('toNodeHandler', webhooks);
  return async (request: ParsedRequest, response) => {
    if (typeof response?.writeHead !== 'function') {
      throw new WebhookConfigurationError(
        'The handler of toNodeHandler() must be called with a request and a response of node:http or Express. In Fastify, register fastifyWebhooks of @confab/webhooks/fastify. To Hono, Next.js, Workers, Bun and Deno, pass webhooks.fetch.',
      );
    }
    const { afterResponse, written } = createAfterResponse();
    const result = await receiveSafely(webhooks, () => ({
      method: request.method ?? '',
      url: request.originalUrl ?? request.url,
      headers: readRequestHeaders(request),
      body: readRequestBody(request),
      signal: createSenderSignal(response),
      hint: HINT,
      afterResponse,
    }));
    writeResponse(request, response, result);
    written();
  };
};
