import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WebhookResponse } from '../receive/webhook-response.ts';
import { closeIfUnread, isArriving } from './node-request.ts';

/** Milliseconds for a sender to read an answer that comes before its body is through. */
const LINGER_MS = 1000;

/** Whether somebody else has answered already, such as a time guard, or there is nobody left to answer. */
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
 * Writes a response and ends it, unless that has happened already. Never throws: nobody is there to catch it, and the
 * process would end.
 *
 * A socket that is closed on data nobody read is reset, and takes the answer with it: the sender of a body that is
 * too large would see no 413. So the end, which closes, waits a little for the sender to close first.
 */
export const writeResponse = (
  request: IncomingMessage,
  response: ServerResponse,
  answer: WebhookResponse,
): void => {
  try {
    if (!isOver(response)) {
      write(request, response, answer);
    }
  } catch (error) {
    // Something wraps the response and failed. Without a close, the sender would wait for its own time limit.
    process.emitWarning(error instanceof Error ? error : String(error));
    request.socket?.destroy();
  }
};
