import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server as NetServer, Socket } from 'node:net';
import { join } from 'node:path';
import { startRedisServer } from '@confab/internal/test-support';
import { serve } from '@confab/mock/server';
import { signedRequest } from '@confab/webhooks';
import { onTestFinished, vi } from 'vitest';
import type { Prelude } from './prelude.ts';
import { BASE_URL } from './prelude.ts';

/** A module that exports a request handler: `export default { fetch }`. */
interface FetchModule {
  readonly fetch: (request: Request, env: object) => Promise<Response>;
}

/** Creates a `fetch` that reaches only the mock and servers on this machine. */
export const routeTo = ({ mock, webhooks, url }: Prelude): typeof fetch => {
  const send = globalThis.fetch;
  return async (input, init) => {
    const request = new Request(input, init);
    const { origin, hostname } = new URL(request.url);
    if (hostname === '127.0.0.1' || hostname === 'localhost') {
      return send(request);
    }
    if (request.url === url) {
      return webhooks.fetch(request);
    }
    if (origin === mock.baseUrl) {
      return mock.fetch(request);
    }
    throw new Error(
      `A block called ${request.url}, for which docs/test/support/stage-servers.ts has no server`,
    );
  };
};

/** Starts the servers that a block connects to. Returns its code with their addresses. */
export const connect = async (code: string, folder: string, { mock }: Prelude): Promise<string> => {
  const addresses: Record<string, string> = {};
  if (code.includes('redis://')) {
    const redis = await startRedisServer();
    addresses['redis://localhost:6379'] = redis.url;
    const connections = vi.spyOn(Socket.prototype, 'connect');
    onTestFinished(() => {
      for (const socket of connections.mock.contexts) {
        if ((socket as Socket).remotePort === redis.port) {
          // Otherwise, the block's Redis client would connect again.
          (socket as Socket).removeAllListeners().destroy();
        }
      }
    });
  }
  if (code.includes('http://127.0.0.1:4010')) {
    const server = await serve(mock);
    onTestFinished(() => server.close());
    addresses['http://127.0.0.1:4010'] = server.url;
  }
  if (code.includes('leads.csv')) {
    addresses['leads.csv'] = join(folder, 'leads.csv');
    writeFileSync(join(folder, 'leads.csv'), 'phone,displayName\n+12025550101,Grace\n+12025550102,Edsger\n');
  }
  return Object.entries(addresses).reduce((text, [from, to]) => text.replaceAll(from, to), code);
};

/** Lets a block listen on a free port instead of 3000. Closes its servers at the end of the test. */
export const watchServers = (): readonly Server[] => {
  const receivers: Server[] = [];
  const opened: Server[] = [];
  const listen = NetServer.prototype.listen as (...args: unknown[]) => NetServer;
  vi.spyOn(NetServer.prototype, 'listen').mockImplementation(function (this: NetServer, ...args: unknown[]) {
    opened.push(this as Server);
    if (args[0] !== 3000) {
      return listen.apply(this, args);
    }
    receivers.push(this as Server);
    return listen.call(this, 0, '127.0.0.1');
  });
  onTestFinished(() => {
    for (const server of opened) {
      server.closeAllConnections?.();
      server.close();
    }
  });
  return receivers;
};

const isFetchModule = (value: unknown): value is FetchModule =>
  typeof (value as FetchModule | undefined)?.fetch === 'function';

/** Sends a signed delivery to every server that a block started, and to the handler that it exports. */
export const deliverTo = async (
  servers: readonly Server[],
  module: object,
  prelude: Prelude,
): Promise<number[]> => {
  const { secret, signature, data, mock } = prelude;
  const signed = (url: string) =>
    signedRequest(url, { event: 'message.created', data }, { secret, signature });
  const statuses: number[] = [];
  for (const server of servers) {
    if (!server.listening) {
      await once(server, 'listening');
    }
    const { port } = server.address() as AddressInfo;
    statuses.push((await fetch(await signed(`http://127.0.0.1:${port}/`))).status);
  }
  for (const exported of Object.values(module).filter(isFetchModule)) {
    const env = { CONFAB_BASE_URL: BASE_URL, CONFAB_API_KEY: mock.apiKey, waitUntil: () => {} };
    statuses.push((await exported.fetch(await signed('https://worker.test/'), env)).status);
  }
  return statuses;
};
