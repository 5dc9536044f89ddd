import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WebhookResponse } from '../receive/webhook-response.ts';
import { closeIfUnread, isArriving } from './node-request.ts';

/** Milliseconds that a sender has to read a response that arrives before its body is complete. */
const LINGER_MS = 1000;

/** Whether something else has responded, such as a timeout middleware, or the connection is gone. */
const isOver = (response: ServerResponse): boolean =>
  response.headersSent || response.writableEnded || response.destroyed;

const write = (
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: WebhookResponse,
): void => {
  const length = Buffer.byteLength(body);
  response.writeHead(status, { ...headers, 'content-length': length, ...closeIfUnread(request) });
  if (!isArriving(request)) {
    response.end(body);
    return;
  }
  response.write(body);
  const timer = setTimeout(() => response.end(), LINGER_MS).unref();
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
    if (!isOver(response)) {
      write(request, response, result);
    }
  } catch (error) {
    // A wrapper of the response failed. If the socket stayed open, the sender would wait until it times out.
    process.emitWarning(error instanceof Error ? error : String(error));
    request.socket?.destroy();
  }
};
