import type { RequestListener } from 'node:http';
import { createServer, Server } from 'node:http';
import { onTestFinished } from 'vitest';
import { listenTcp } from './tcp.ts';

/**
 * Serves a listener on a free port of the loopback interface until the test ends.
 *
 * @returns The origin, without a slash at its end.
 */
export const listen = async (listener: RequestListener | Server): Promise<string> => {
  const server = listener instanceof Server ? listener : createServer(listener);
  onTestFinished(() => server.closeAllConnections());
  return `http://127.0.0.1:${await listenTcp(server)}`;
};
