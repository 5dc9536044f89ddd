import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isLoopback } from '../hosts/base-url.ts';
import type { Mock } from '../mock.ts';
import { failureOf } from '../request/envelope.ts';
import { handle } from '../request/handle.ts';
import type { LoggedRequest } from '../world/log.ts';
import { worldOf } from '../world-of.ts';
import { CONTROL_PREFIX, control } from './control.ts';
import { callOfIncoming, urlOf } from './incoming.ts';
import { OPENAPI_PATH, openapiAnswer } from './openapi.ts';
import { send } from './send.ts';

/** Where a mock listens. */
export interface ServeOptions {
  /**
   * A free one is picked for 0.
   * @default 0
   */
  readonly port?: number;
  /**
   * Name or address to listen at. Beyond loopback, callers must come through TLS: the mock refuses plain HTTP
   * unless a proxy says `x-forwarded-proto: https`.
   * @default '127.0.0.1'
   */
  readonly host?: string;
  /**
   * What the control endpoints `/__mock/*` ask for in `x-admin-token`. Without one they are open on loopback, and
   * closed beyond it.
   */
  readonly adminToken?: string;
  /** Told of each request to the API once it is answered. */
  readonly onRequest?: (request: LoggedRequest) => void;
}

/** A mock that listens. */
export interface MockServer {
  /** `http://127.0.0.1:4010`, to be used as a client's base URL. */
  readonly url: string;
  /** Stops listening, and ends the connections that are open. */
  close(): Promise<void>;
}

/**
 * Serves a mock over TCP.
 *
 * @throws {Error} If the port is taken or the address can't be had.
 * @example
 * const mock = createMock({ clock: 'system' });
 * const server = await serve(mock);
 * const confab = createClient({ baseUrl: server.url, apiKey: mock.apiKey });
 * await server.close();
 */
export const serve = async (mock: Mock, options: ServeOptions = {}): Promise<MockServer> => {
  const { port = 0, host = '127.0.0.1', adminToken, onRequest } = options;
  const world = worldOf.get(mock);
  if (world === undefined) throw new TypeError('serve() takes a mock that createMock() made');
  const access = { token: adminToken, loopback: isLoopback(host) };

  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    try {
      const url = urlOf(incoming);
      if (incoming.method === 'GET' && url?.pathname === OPENAPI_PATH) {
        send(outgoing, openapiAnswer(url.origin));
        return;
      }
      const controlled = url?.pathname.startsWith(CONTROL_PREFIX) === true;
      send(
        outgoing,
        controlled
          ? await control(mock, incoming, url.pathname, access)
          : await handle(world, callOfIncoming(incoming, outgoing, url ?? new URL('http://127.0.0.1/'))),
      );
    } catch (error) {
      // Most often the caller has gone, in the middle of its body even; nobody reads this then.
      if (outgoing.headersSent || outgoing.destroyed) outgoing.destroy();
      else send(outgoing, failureOf(error, {}));
    }
  };

  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const unsubscribe = onRequest === undefined ? undefined : world.log.subscribe(onRequest);

  const { address, family, port: bound } = server.address() as AddressInfo;
  // Listening everywhere includes loopback, which is where plain HTTP is accepted.
  const reachable = address === '0.0.0.0' || address === '::' ? '127.0.0.1' : address;
  const name = family === 'IPv6' && reachable === address ? `[${address}]` : reachable;
  return {
    url: `http://${name}:${bound}`,
    close: () =>
      new Promise((resolve, reject) => {
        unsubscribe?.();
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      }),
  };
};
