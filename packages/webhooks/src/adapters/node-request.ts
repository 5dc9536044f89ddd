import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { AfterResponse } from '../timing/after-response.ts';

/** Runs a task once the response that is written in this turn of the event loop has left. */
export const afterResponse: AfterResponse = (task) => {
  setImmediate(task);
};

/** Aborts when the connection closes before the response is out. */
export const senderSignal = (response: ServerResponse): AbortSignal => {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) {
      gone.abort(new Error('The sender went away before the answer.'));
    }
  });
  return gone.signal;
};

/**
 * The chunks of a stream that can be left half-read.
 *
 * Left by a plain loop, a request is destroyed and loses its socket, which loggers and the answer still need.
 */
export const chunksOf = (stream: Readable): AsyncIterable<unknown> =>
  stream.iterator({ destroyOnReturn: false });

/**
 * A header that closes the connection if a part of the body was left unread: it is of no further use.
 *
 * HTTP/2 has no such header, and ends the stream alone.
 */
export const closeIfUnread = (request: IncomingMessage): Record<string, string> =>
  request.readableEnded || request.httpVersionMajor > 1 ? {} : { connection: 'close' };

/** Whether a part of the body is still on its way. Requests that `inject()` of Fastify makes up do not tell: they are whole. */
export const isArriving = (request: IncomingMessage): boolean => request.complete === false;
