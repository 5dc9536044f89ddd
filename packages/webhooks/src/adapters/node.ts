import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Receiver } from '../receive/receive.ts';
import { answerOf } from './answer-of.ts';
import { checkReceiver } from './check-receiver.ts';
import { afterResponse, chunksOf, senderSignal } from './node-request.ts';
import { writeResponse } from './write-response.ts';

/** What body parsers leave on a request. */
type ParsedRequest = IncomingMessage & { readonly body?: unknown; readonly rawBody?: unknown };

const HINT =
  'Mount toNodeHandler() before express.json() and other body parsers, or give this route express.raw({ type: "*/*" }); in a Next.js API route, export const config = { api: { bodyParser: false } }.';

const bodyOf = (request: ParsedRequest): unknown =>
  // An unread stream comes first: Express 4 sets `body` to {} even when it parsed nothing.
  request.readableDidRead || request.readableEnded ? (request.rawBody ?? request.body) : chunksOf(request);

/**
 * Makes a handler for node:http, Express and Connect. It reads the raw body itself, always answers (unless something
 * else, such as a time guard, has answered before), and never rejects.
 *
 * @throws `WebhookConfigurationError` If it is not given a receiver.
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
  return async (request, response) => {
    const answer = await answerOf(() =>
      webhooks.receive({
        method: request.method ?? '',
        // Raw, because `headers` joins or drops repeated ones.
        headers: request.rawHeaders,
        body: bodyOf(request),
        signal: senderSignal(response),
        hint: HINT,
        afterResponse,
      }),
    );
    writeResponse(request, response, answer);
  };
};
