import { once } from 'node:events';
import type { RequestListener, Server, ServerOptions } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { listenProblem } from '@confab/internal';
import { invalidArgument, MockError } from '../errors/mock-error.ts';
import type { ServerLimits } from './server-limits.ts';
import { SERVER_LIMITS } from './server-limits.ts';

/** The certificate of a server and its private key. */
export interface TlsOptions {
  /** The certificate as the PEM text of its file, followed by those of intermediate authorities. */
  readonly cert: string | Uint8Array;
  /** The private key of the certificate, without a passphrase, as the PEM text of its file. */
  readonly key: string | Uint8Array;
}

interface HttpServerOptions {
  readonly port: number;
  readonly host: string;
  readonly tls: TlsOptions | undefined;
  readonly limits?: Partial<ServerLimits> | undefined;
}

/** A server that listens. */
export interface HttpServer {
  readonly url: string;
  /** Stops listening, and waits at most `ms` milliseconds for the responses in flight. */
  finish(ms: number): Promise<void>;
  /** Stops listening, and closes all connections. */
  close(): Promise<void>;
}

/** @throws A {@link MockError} `INVALID_ARGUMENT`, when the certificate or its key is invalid. */
const createTlsServer = async (
  options: ServerOptions,
  { cert, key }: TlsOptions,
  listener: RequestListener,
): Promise<Server> => {
  // Loaded late: most mocks are served without TLS.
  const { createServer } = await import('node:https');
  const pem = { cert: Buffer.from(cert), key: Buffer.from(key) };
  try {
    return createServer({ ...options, ...pem, handshakeTimeout: options.requestTimeout }, listener);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw invalidArgument(
      `\`tls\` must be a certificate and its private key, both as the PEM text of their files: ${reason}`,
    );
  }
};

const urlOf = ({ address, family, port }: AddressInfo, tls: TlsOptions | undefined): string => {
  const scheme = tls === undefined ? 'http' : 'https';
  // Listening on every address includes loopback, where plain HTTP is accepted.
  if (address === '0.0.0.0' || address === '::') {
    return `${scheme}://127.0.0.1:${port}`;
  }
  return `${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
};

/**
 * Starts a server of node:http or node:https that neither slow nor numerous callers can block.
 *
 * @throws A {@link MockError} `INVALID_ARGUMENT`, when the certificate or its key is invalid.
 * @throws A {@link MockError} `CANNOT_LISTEN`, when the port is in use or the address is not available.
 */
export const startHttpServer = async (
  listener: RequestListener,
  { port, host, tls, limits }: HttpServerOptions,
): Promise<HttpServer> => {
  const { requestTimeout, idleTimeout, maxConnections } = { ...SERVER_LIMITS, ...limits };
  const options = { requestTimeout, connectionsCheckingInterval: Math.min(1_000, requestTimeout) };
  const server =
    tls === undefined ? createServer(options, listener) : await createTlsServer(options, tls, listener);
  server.maxConnections = maxConnections;
  server.timeout = idleTimeout;
  // `closeAllConnections` of node:http does not close a connection whose TLS handshake is incomplete.
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    const problem = listenProblem(error, { port, host }, { port: '`port`', host: '`host`' });
    throw new MockError('CANNOT_LISTEN', problem, { cause: error });
  }
  // A failure to accept a connection, for example because too many files are open, must not end the process.
  server.on('error', () => {});
  const stopListening = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return {
    url: urlOf(server.address() as AddressInfo, tls),
    async finish(ms) {
      const stopped = stopListening();
      // Otherwise a connection without a request would stay open for some seconds.
      const closing = setInterval(() => server.closeIdleConnections(), 20);
      await Promise.race([stopped, sleep(ms, undefined, { ref: false })]);
      clearInterval(closing);
    },
    close() {
      const stopped = stopListening();
      for (const socket of sockets) {
        socket.destroy();
      }
      return stopped;
    },
  };
};
