import type { IncomingMessage, ServerResponse } from 'node:http';
import { listen } from '@confab/internal/test-support';
import type { Arrival, Arrivals } from './arrivals.ts';
import { createArrivals } from './arrivals.ts';

/** Responds to one request by hand, so that it can misbehave in any way that a server can. */
export type Responder = (
  arrival: Arrival,
  response: ServerResponse,
  request: IncomingMessage,
) => void | Promise<void>;

/** Whether other processes reach the server as well. */
export const reachable: boolean = true;

export interface TestServer extends Arrivals {
  readonly url: string;
}

const read = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString();
};

/**
 * Starts a server written by hand on node:http, which knows nothing of our contract or our mock.
 *
 * @param responders One for each request in turn; the last one responds to all that follow.
 */
export const startServer = async (...responders: Responder[]): Promise<TestServer> => {
  const { arrive, ...arrivals } = createArrivals();
  const origin = await listen(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const arrival: Arrival = {
      method: request.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body: await read(request),
    };
    const responder = responders[Math.min(arrive(arrival), responders.length) - 1];
    await responder?.(arrival, response, request);
  });
  return { url: origin, ...arrivals };
};

/** Responds with JSON. */
export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Responder =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };

export const success = (data: unknown, status = 200): Responder => json(status, { success: true, data });

export const failure = (
  status: number,
  code: string,
  error = 'It did not work',
  headers: Record<string, string> = {},
): Responder => json(status, { success: false, error, code }, headers);

/** Drops the connection without a response. */
export const drop: Responder = (_, __, request) => {
  request.socket.destroy();
};

/** Sends nothing, ever. */
export const hang: Responder = () => {};

/** Sends headers and the beginning of a body, then nothing more. */
export const stall: Responder = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"success":true,');
};

/** Promises more bytes than it sends, then drops the connection. */
export const truncate: Responder = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"success":true,"data":{', () => response.destroy());
};
