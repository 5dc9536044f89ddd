import type { RequestListener, Server, ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import { invalidArgument } from '../errors/mock-error.ts';
import type { TlsOptions } from './serve-options.ts';

/**
 * Creates a server of node:https. Its `closeAllConnections` also closes connections in the middle of their handshake.
 *
 * @throws {@link MockError} `INVALID_ARGUMENT`, when the certificate or its key is invalid.
 */
export const createTlsServer = async (
  options: ServerOptions,
  { cert, key }: TlsOptions,
  listener: RequestListener,
): Promise<Server> => {
  // Loaded late: most mocks are served without TLS.
  const { createServer } = await import('node:https');
  const pem = { cert: Buffer.from(cert), key: Buffer.from(key) };
  let server: Server;
  try {
    server = createServer({ ...options, ...pem, handshakeTimeout: options.headersTimeout }, listener);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw invalidArgument(
      `\`tls\` must be a certificate and its private key, both as the PEM text of their files: ${reason}`,
    );
  }
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  // The method of node:http knows a connection only once its handshake is complete.
  server.closeAllConnections = () => {
    for (const socket of sockets) {
      socket.destroy();
    }
  };
  return server;
};
