import type { AddressInfo } from 'node:net';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { isLoopback } from '../hosts/base-url.ts';
import { callOf } from '../hosts/call-of.ts';
import { toResponse } from '../hosts/to-response.ts';
import type { Mock } from '../mock.ts';
import { type Answer, NETWORK_ERROR } from '../request/call.ts';
import { handle } from '../request/handle.ts';
import type { LoggedRequest } from '../world/log.ts';
import { worldOf } from '../world-of.ts';
import { CONTROL_PREFIX, control } from './control.ts';

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
export const serve = async (mock: Mock, options: ServeOptions = {}): Promise<MockServer> => {
  const { port = 0, host = '127.0.0.1', adminToken, onRequest } = options;
  const world = worldOf.get(mock);
  if (world === undefined) throw new TypeError('serve() takes a mock that createMock() made');
  const access = { token: adminToken, loopback: isLoopback(host.includes(':') ? `[${host}]` : host) };

  const answer = async (request: Request, outgoing: HttpBindings['outgoing']): Promise<Response> => {
    const url = new URL(request.url);
    if (url.pathname.startsWith(CONTROL_PREFIX))
      return toResponse(await control(mock, request, url.pathname, access));
    const gone = new AbortController();
    outgoing.once('close', () => gone.abort(new Error('The caller has gone')));
    const call = callOf(request, url);
    const secure = call.secure || request.headers.get('x-forwarded-proto') === 'https';
    try {
      const result = await handle(world, { ...call, secure, signal: gone.signal });
      if (result !== NETWORK_ERROR && !result.truncated) return toResponse(result);
      if (result !== NETWORK_ERROR) await writeHalf(outgoing, result);
      outgoing.destroy();
    } catch (error) {
      if (!gone.signal.aborted) throw error;
    }
    return RESPONSE_ALREADY_SENT;
  };

  const server = createAdaptorServer({
    // Whoever serves a mock from a test keeps the Request and Response of the platform.
    overrideGlobalObjects: false,
    fetch: (request, bindings) => answer(request, (bindings as HttpBindings).outgoing),
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const unsubscribe = onRequest === undefined ? undefined : world.log.subscribe(onRequest);

  const address = server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: `http://${name}:${address.port}`,
    close: () =>
      new Promise((resolve, reject) => {
        unsubscribe?.();
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        if ('closeAllConnections' in server) server.closeAllConnections();
      }),
  };
};
