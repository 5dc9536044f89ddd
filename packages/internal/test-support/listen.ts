import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * Serves a listener on a free port of the loopback interface until the test ends.
 *
 * @returns The origin, without a slash at its end.
 */
export const listen = async (listener: RequestListener | Server): Promise<string> => {
  const server = typeof listener === 'function' ? createServer(listener) : listener;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};
