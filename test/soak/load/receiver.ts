import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createWebhooks } from '@confab/webhooks';
import { toNodeHandler } from '@confab/webhooks/node';

/** The secret of every endpoint. */
export const SECRET = 'soak-secret-soak-secret';

/** Receives deliveries, well or badly, depending on the path. */
export interface Receiver {
  /** Accepts genuine deliveries. */
  readonly good: string;
  /** Responds with 500. */
  readonly failing: string;
  /** Never responds. */
  readonly silent: string;
  /** Deliveries that were accepted, by event. */
  readonly accepted: Map<string, number>;
  close(): void;
}

/** Starts a receiver in this process. */
export const startReceiver = async (): Promise<Receiver> => {
  const webhooks = createWebhooks({
    secret: SECRET,
    signature: { header: 'x-webhook-signature', encoding: 'hex' },
  });
  const accepted = new Map<string, number>();
  const count = ({ event }: { readonly event: string }) => {
    accepted.set(event, (accepted.get(event) ?? 0) + 1);
  };
  webhooks.onAny(count);
  const receive = toNodeHandler(webhooks);
  const server = createServer((request, response) => {
    if (request.url === '/good') {
      void receive(request, response);
      return;
    }
    request.resume();
    if (request.url === '/failing') {
      response.writeHead(500).end();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    good: `${url}/good`,
    failing: `${url}/failing`,
    silent: `${url}/silent`,
    accepted,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
};
