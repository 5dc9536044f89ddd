import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { AfterResponse, WebhookResponse } from '../receive.ts';

/**
 * Holds tasks back until the response is written. A timer would not work reliably, not even `setImmediate`, because a test
 * may have replaced it.
 */
export const createAfterResponse = (): { afterResponse: AfterResponse; written: () => void } => {
  let written = () => {};
  const writing = new Promise<void>((resolve) => {
    written = resolve;
  });
  return { afterResponse: (task) => void writing.then(task), written };
};

/** Returns a signal that aborts when the connection closes before the response is written. */
export const createSenderSignal = (response: ServerResponse): AbortSignal => {
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
 * A plain loop that ends early would destroy the request and its socket, which loggers and the response still need.
 */
export const chunksOf = (stream: Readable): AsyncIterable<unknown> =>
  stream.iterator({ destroyOnReturn: false });

/**
 * Returns a header that closes the connection if a part of the body is unread, because the connection is then unusable.
 *
 * HTTP/2 has no such header, and ends only the stream of the request.
 */
export const closeHeaderIfUnread = (request: IncomingMessage): Record<string, string> =>
  request.readableEnded || request.httpVersionMajor > 1 ? {} : { connection: 'close' };

/**
 * Whether a part of the body is still arriving. Simulated requests of Fastify's `inject()` lack the flag and are
 * complete.
 */
export const isArriving = (request: IncomingMessage): boolean => request.complete === false;

/** Milliseconds for which the sender may read a response that was written before its body had arrived. */
const LINGER_MS = 1000;

const write = (
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: WebhookResponse,
): void => {
  // RFC 9110, section 8.6: a response that cannot have a body has no length.
  const length = status === 204 || status === 304 ? {} : { 'content-length': Buffer.byteLength(body) };
  response.writeHead(status, { ...headers, ...length, ...closeHeaderIfUnread(request) });
  if (!isArriving(request)) {
    response.end(body);
    return;
  }
  response.write(body);
  // This timer keeps the process alive. The paused socket does not, although a server that closes waits for it.
  const timer = setTimeout(() => response.end(), LINGER_MS);
  response.once('close', () => clearTimeout(timer));
};

/**
 * Writes a response and ends it, unless that has already happened. It never throws, because an uncaught exception would
 * end the process.
 *
 * Closing a socket with unread data resets it, and the response is lost: the sender of an oversized body would never see
 * the 413. So `end()`, which closes the socket, waits a moment for the sender to close it first.
 */
export const writeResponse = (
  request: IncomingMessage,
  response: ServerResponse,
  result: WebhookResponse,
): void => {
  try {
    // Something else may have responded, such as a timeout middleware, or the connection is closed.
    const isFinished = response.headersSent || response.writableEnded || response.destroyed;
    if (!isFinished) {
      write(request, response, result);
    }
  } catch (error) {
    // A wrapper of the response failed. If the socket stayed open, the sender would wait until it times out.
    process.emitWarning(error instanceof Error ? error : String(error));
    request.socket?.destroy();
  }
};
