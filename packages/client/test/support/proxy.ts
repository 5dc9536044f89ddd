import type { IncomingMessage } from 'node:http';
import { createServer, request as send } from 'node:http';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { listen } from '@confab/internal/test-support';
import { onTestFinished } from 'vitest';

/** An HTTP proxy on the loopback interface. */
export interface TestProxy {
  readonly url: string;
  /** A line for each request that it has passed on: `CONNECT 127.0.0.1:443`, or `GET http://127.0.0.1/path`. */
  readonly passed: readonly string[];
}

/**
 * Starts a proxy written by hand on node:http. It forwards plain requests, and opens tunnels.
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
  const note = ({ method, url }: IncomingMessage) => passed.push(`${method} ${url}`);

  const server = createServer((incoming, outgoing) => {
    note(incoming);
    const { method, url = '', headers } = incoming;
    const forwarded = send(url, { method, headers, agent: false }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.rawHeaders);
      response.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });

  server.on('connect', (incoming: IncomingMessage, client: Socket, head: Buffer) => {
    note(incoming);
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
