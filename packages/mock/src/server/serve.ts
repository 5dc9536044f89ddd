import type { AddressInfo } from 'node:net';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { callOf } from '../hosts/call-of.ts';
import { toResponse } from '../hosts/to-response.ts';
import type { Mock } from '../mock.ts';
import { type Answer, NETWORK_ERROR } from '../request/call.ts';
import { handle } from '../request/handle.ts';
import { worldOf } from '../world-of.ts';

/** Where a mock listens. */
export interface ServeOptions {
  /**
   * A free one is picked for 0.
   * @default 0
   */
  readonly port?: number;
  /** @default '127.0.0.1' */
  readonly host?: string;
}

/** A mock that listens. */
export interface MockServer {
  /** `http://127.0.0.1:4010`, to be used as a client's base URL. */
  readonly url: string;
  /** Stops listening, and ends the connections that are open. */
  close(): Promise<void>;
}

/** Sends half of what its headers promise. */
const writeHalf = (outgoing: HttpBindings['outgoing'], { status, headers, body }: Answer): Promise<void> =>
  new Promise((resolve) => {
    const bytes = new TextEncoder().encode(body);
    outgoing.writeHead(status, { ...headers, 'content-length': String(bytes.length) });
    outgoing.write(bytes.subarray(0, bytes.length >>> 1), () => resolve());
  });

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
export const serve = async (
  mock: Mock,
  { port = 0, host = '127.0.0.1' }: ServeOptions = {},
): Promise<MockServer> => {
  const world = worldOf.get(mock);
  if (world === undefined) throw new TypeError('serve() takes a mock that createMock() made');
  const server = createAdaptorServer({
    // The tests of whoever serves a mock keep the Request and Response of their platform.
    overrideGlobalObjects: false,
    fetch: async (request, bindings) => {
      const { outgoing } = bindings as HttpBindings;
      const gone = new AbortController();
      outgoing.once('close', () => gone.abort(new Error('The caller has gone')));
      const call = callOf(request, new URL(request.url));
      const secure = call.secure || request.headers.get('x-forwarded-proto') === 'https';
      try {
        const answer = await handle(world, { ...call, secure, signal: gone.signal });
        if (answer !== NETWORK_ERROR && !answer.truncated) return toResponse(answer);
        if (answer !== NETWORK_ERROR) await writeHalf(outgoing, answer);
        outgoing.destroy();
      } catch (error) {
        if (!gone.signal.aborted) throw error;
      }
      return RESPONSE_ALREADY_SENT;
    },
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: `http://${name}:${address.port}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        if ('closeAllConnections' in server) server.closeAllConnections();
      }),
  };
};
