import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { AfterResponse } from '../timing/after-response.ts';

/** Runs a task after this turn of the event loop, in which the response is written. */
export const afterResponse: AfterResponse = (task) => {
  setImmediate(task);
};

/** Returns a signal that aborts when the connection closes before the response is written. */
export const senderSignal = (response: ServerResponse): AbortSignal => {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) {
      gone.abort(new Error('The sender disconnected before the response.'));
    }
  });
  return gone.signal;
};

/**
 * Iterates over the chunks of a stream without destroying it at the end.
 *
 * A plain loop that ends early destroys the request and its socket, which loggers and the response still need.
 */
export const chunksOf = (stream: Readable): AsyncIterable<unknown> =>
  stream.iterator({ destroyOnReturn: false });

/**
 * Returns a header that closes the connection if a part of the body is unread, because the connection is then unusable.
 *
 * HTTP/2 has no such header and ends only the stream.
 */
export const closeIfUnread = (request: IncomingMessage): Record<string, string> =>
  request.readableEnded || request.httpVersionMajor > 1 ? {} : { connection: 'close' };

/** Whether a part of the body is still arriving. Simulated requests of Fastify's `inject()` lack the flag and are complete. */
export const isArriving = (request: IncomingMessage): boolean => request.complete === false;
