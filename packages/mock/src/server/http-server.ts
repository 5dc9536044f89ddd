import type { RequestListener } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listenProblem } from '@confab/internal';
import { MockError } from '../errors/mock-error.ts';
import type { TlsOptions } from './serve-options.ts';
import { createTlsServer } from './tls.ts';

/** Limits on callers: milliseconds for a request, and the number of connections. */
export interface ServerLimits {
  /** For the headers of a request, from the start of the connection or the end of the request before it. */
  readonly headersTimeout: number;
  /** For a whole request. */
  readonly requestTimeout: number;
  /** Between two requests on one connection. */
  readonly keepAliveTimeout: number;
  /** Without any byte sent or received: longer than any client waits for a response that hangs. */
  readonly idleTimeout: number;
  /** The most connections at once. */
  readonly maxConnections: number;
}

const LIMITS: ServerLimits = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 5_000,
  idleTimeout: 600_000,
  maxConnections: 1_000,
};

interface HttpServerOptions {
  readonly port: number;
  readonly host: string;
  readonly tls: TlsOptions | undefined;
  readonly limits?: Partial<ServerLimits> | undefined;
}

/** A server that listens. */
export interface HttpServer {
  readonly url: string;
  /** Stops listening, and closes all connections. */
  close(): Promise<void>;
}

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
 * @throws {@link MockError} `INVALID_ARGUMENT`, when the certificate or its key is invalid.
 * @throws {@link MockError} `CANNOT_LISTEN`, when the port is in use or the address is not available.
 */
export const startHttpServer = async (
  listener: RequestListener,
  { port, host, tls, limits }: HttpServerOptions,
): Promise<HttpServer> => {
  const { idleTimeout, maxConnections, ...timeouts } = { ...LIMITS, ...limits };
  const { headersTimeout, requestTimeout } = timeouts;
  const options = {
    ...timeouts,
    connectionsCheckingInterval: Math.min(1_000, headersTimeout, requestTimeout),
  };
  const server =
    tls === undefined ? createServer(options, listener) : await createTlsServer(options, tls, listener);
  server.maxConnections = maxConnections;
  server.timeout = idleTimeout;
  await new Promise<void>((resolve, reject) => {
    const fail = (error: Error): void => {
      const problem = listenProblem(error, { port, host }, { port: '`port`', host: '`host`' });
      reject(new MockError('CANNOT_LISTEN', problem, { cause: error }));
    };
    server.once('error', fail);
    server.listen(port, host, () => {
      server.off('error', fail);
      // A failure to accept a connection, for example because too many files are open, must not end the process.
      server.on('error', () => {});
      resolve();
    });
  });
  return {
    url: urlOf(server.address() as AddressInfo, tls),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
