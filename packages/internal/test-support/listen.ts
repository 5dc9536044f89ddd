import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** Serves a listener on a free port of the loopback interface, for a program or a file of tests that closes it. */
export const openServer = async (listener: RequestListener | Server) => {
  const server = listener instanceof Server ? listener : createServer(listener);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    /** The origin, without a slash at its end. */
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close(): void {
      server.closeAllConnections();
      server.close();
    },
  };
};

/**
 * Serves a listener on a free port of the loopback interface until the test ends.
 *
 * @returns The origin, without a slash at its end.
 */
export const listen = async (listener: RequestListener | Server): Promise<string> => {
  const { url, close } = await openServer(listener);
  onTestFinished(close);
  return url;
};
