import { createWebhooks } from '@confab/webhooks';
import type { Delivery, Endpoint, Mock } from '../../src/index.ts';

export const secret = 'whsec_0123456789';

const url = 'https://receiver.test/webhooks';

/** Creates a receiver in this process that keeps every request. It responds with these statuses, and repeats the last one. */
export const keeper = (...statuses: readonly number[]) => {
  const seen: Request[] = [];
  const fetch = (request: Request): Response | Promise<Response> => {
    seen.push(request);
    return new Response(null, { status: statuses[seen.length - 1] ?? statuses.at(-1) ?? 200 });
  };
  return { seen, endpoint: { url, secret, fetch } };
};

/** Creates a receiver that verifies deliveries and keeps their events. */
export const receiver = (...statuses: readonly number[]) => {
  const webhooks = createWebhooks({ secret, signature: { header: 'x-webhook-signature', encoding: 'hex' } });
  const events: unknown[] = [];
  const { endpoint } = keeper(...statuses);
  const fetch = async (request: Request): Promise<Response> => {
    const { event, data } = await webhooks.unwrap(await request.text(), request.headers);
    events.push({ event, data });
    return endpoint.fetch(request);
  };
  return { events, endpoint: { ...endpoint, fetch } };
};

/** Emits an event to endpoints like these, and resolves to the deliveries once all of them have ended. */
export const delivered = async (
  mock: Mock,
  ...endpoints: readonly Partial<Endpoint>[]
): Promise<readonly Delivery[]> => {
  for (const endpoint of endpoints) {
    mock.webhooks.add({ url, secret, ...endpoint });
  }
  mock.webhooks.emit('test', {});
  await mock.webhooks.flush();
  return mock.webhooks.deliveries;
};
