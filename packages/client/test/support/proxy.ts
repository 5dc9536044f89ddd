import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { listen } from '@confab/internal/test-support';
import { onTestFinished } from 'vitest';

/** An HTTP proxy on the loopback interface. */
export interface TestProxy {
  readonly url: string;
  /** A line for each tunnel that was asked for: `CONNECT 127.0.0.1:443`. */
  readonly passed: readonly string[];
}

/**
 * Starts a proxy written by hand on node:http, which opens tunnels.
 *
 * @param options.refuse Respond with 407 to whoever asks for a tunnel.
 */
export const startProxy = async ({ refuse = false } = {}): Promise<TestProxy> => {
  const passed: string[] = [];
  const sockets = new Set<Socket>();
  onTestFinished(() => {
    for (const socket of sockets) {
      socket.destroy();
    }
  });
  const server = createServer();

  server.on('connect', (incoming: IncomingMessage, client: Socket, head: Buffer) => {
    passed.push(`${incoming.method} ${incoming.url}`);
    if (refuse) {
      client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    const { hostname, port } = new URL(`http://${incoming.url}`);
    const target = connect(Number(port), hostname, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      target.write(head);
      target.pipe(client).pipe(target);
    });
    for (const socket of [client, target]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        client.destroy();
        target.destroy();
      });
    }
  });

  return { url: await listen(server), passed };
};
