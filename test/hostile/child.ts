/** A process under test, with the options that most users have. It measures itself when asked. */
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConfabError, createClient } from '@confab/client';
import { createMock } from '@confab/mock';
import { serve } from '@confab/mock/server';
import { createWebhooks } from '@confab/webhooks';
import { toNodeHandler } from '@confab/webhooks/node';
import type { Usage } from './meter.ts';
import { beginUsage } from './meter.ts';

/** What a process under test can do. The parent's process calls these by name. */
export interface Subject {
  /** The port on which it listens, if it does. */
  readonly port: number;
  begin(): Promise<void>;
  end(): Promise<Usage>;
  /** Returns a key of the mock. */
  key(): Promise<string>;
  /** Makes one call of the client, and returns how it ended. */
  call(baseUrl: string): Promise<string>;
}

const MAX_BYTES = 1_048_576;

const listen = async (listener: RequestListener): Promise<number> => {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

const mock = createMock({ clock: 'system' });

const PORTS: Readonly<Record<string, () => Promise<number>>> = {
  client: async () => 0,
  mock: async () => Number(new URL((await serve(mock)).url).port),
  receiver: () =>
    listen(toNodeHandler(createWebhooks({ secret: 'a secret', signature: { header: 'x-signature' } }))),
  /** What node:http itself costs: it counts the bytes of a body, and does nothing else with them. */
  bare: () =>
    listen((request, response) => {
      let bytes = 0;
      request.on('data', (piece: Uint8Array) => {
        bytes += piece.byteLength;
      });
      request.on('end', () => response.writeHead(bytes > MAX_BYTES ? 413 : 401).end());
    }),
};

let finish: (() => Usage) | undefined;
const subject: Omit<Subject, 'port'> = {
  async begin() {
    finish = beginUsage();
  },
  async end() {
    return finish?.() ?? { memory: Number.NaN, stall: Number.NaN, work: Number.NaN };
  },
  key: async () => mock.apiKey,
  async call(baseUrl) {
    const retry = { limit: 1, baseDelay: 1 };
    try {
      await createClient({ baseUrl, apiKey: 'confab_live_resources', retry }).agents.list();
      return 'answered';
    } catch (error) {
      return error instanceof ConfabError ? error.code : `not ours: ${String(error)}`;
    }
  },
};

process.on('disconnect', () => process.exit());
process.on('message', async ({ method, args }: { method: keyof typeof subject; args: [string] }) => {
  process.send?.({ result: await subject[method](...args) });
});
process.send?.({ result: await PORTS[process.argv[2] ?? '']?.() });
