import type { RequestListener, Server } from 'node:http';
import { createServer } from 'node:http';

/** How long a caller may take, in milliseconds, and how many may be connected. */
export interface ServerLimits {
  /** Until all headers of a request are there, from when the connection or the request before it is. */
  readonly headersTimeout: number;
  /** Until all of a request is there. */
  readonly requestTimeout: number;
  /** Between two requests on one connection. */
  readonly keepAliveTimeout: number;
  /** Without anything being sent or received; longer than any client waits for an answer that hangs. */
  readonly idleTimeout: number;
  readonly maxConnections: number;
}

const LIMITS: ServerLimits = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 5_000,
  idleTimeout: 600_000,
  maxConnections: 1_000,
};

/** A server of node:http that no caller can hold up, by being slow or by being many. */
export const createBoundedServer = (
  listener: RequestListener,
  limits: Partial<ServerLimits> = {},
): Server => {
  const { headersTimeout, requestTimeout, keepAliveTimeout, idleTimeout, maxConnections } = {
    ...LIMITS,
    ...limits,
  };
  const connectionsCheckingInterval = Math.min(1_000, headersTimeout, requestTimeout);
  const server = createServer(
    { headersTimeout, requestTimeout, keepAliveTimeout, connectionsCheckingInterval },
    listener,
  );
  server.maxConnections = maxConnections;
  server.timeout = idleTimeout;
  return server;
};
