import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listenProblem } from '@confab/internal';
import { MockError } from '../errors/mock-error.ts';

interface PortOptions {
  readonly port: number;
  readonly host: string;
  readonly scheme: 'http' | 'https';
}

const urlOf = (server: Server, scheme: 'http' | 'https'): string => {
  const { address, family, port } = server.address() as AddressInfo;
  // Listening on every address includes loopback, where plain HTTP is accepted.
  if (address === '0.0.0.0' || address === '::') {
    return `${scheme}://127.0.0.1:${port}`;
  }
  return `${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
};

/**
 * Makes a server listen, and returns its URL.
 *
 * @throws {@link MockError} `CANNOT_LISTEN`, when the port is in use or the address is not available.
 */
export const openPort = (server: Server, { port, host, scheme }: PortOptions): Promise<string> =>
  new Promise((resolve, reject) => {
    const fail = (error: Error): void => {
      const problem = listenProblem(error, { port, host }, { port: '`port`', host: '`host`' });
      reject(new MockError('CANNOT_LISTEN', problem, { cause: error }));
    };
    server.once('error', fail);
    server.listen(port, host, () => {
      server.off('error', fail);
      // A failure to accept a connection, for example because too many files are open, must not end the process.
      server.on('error', () => {});
      resolve(urlOf(server, scheme));
    });
  });
