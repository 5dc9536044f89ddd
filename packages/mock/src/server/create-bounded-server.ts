import type { RequestListener, Server } from 'node:http';
import { createServer } from 'node:http';
import { createTlsServer } from './create-tls-server.ts';
import type { TlsOptions } from './serve-options.ts';

/** How long callers may take, in milliseconds, and how many may be connected. */
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

/**
 * Creates a server of node:http or node:https that neither slow nor numerous callers can block.
 *
 * @throws {@link MockError} `INVALID_ARGUMENT`, when the certificate or its key is invalid.
 */
export const createBoundedServer = async (
  listener: RequestListener,
  tls: TlsOptions | undefined,
  limits: Partial<ServerLimits> = {},
): Promise<Server> => {
  const { headersTimeout, requestTimeout, keepAliveTimeout, idleTimeout, maxConnections } = {
    ...LIMITS,
    ...limits,
  };
  const connectionsCheckingInterval = Math.min(1_000, headersTimeout, requestTimeout);
  const options = { headersTimeout, requestTimeout, keepAliveTimeout, connectionsCheckingInterval };
  const server =
    tls === undefined ? createServer(options, listener) : await createTlsServer(options, tls, listener);
  server.maxConnections = maxConnections;
  server.timeout = idleTimeout;
  return server;
};
