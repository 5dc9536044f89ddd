import type { SignatureOptions } from '@confab/webhooks';
import { createWebhooks } from '@confab/webhooks';
import type { Delivery, Endpoint, Mock } from '../../src/index.ts';

export const secret = 'whsec_0123456789';
const signature: SignatureOptions = { header: 'x-webhook-signature', encoding: 'hex' };

/** A receiver in this process that keeps what it verified, and answers as told. */
export const receiver = (answer: (nth: number) => number = () => 200) => {
  const webhooks = createWebhooks({ secret, signature });
  const events: unknown[] = [];
  let nth = 0;
  const fetch = async (request: Request): Promise<Response> => {
    const { event, data } = await webhooks.unwrap(await request.text(), request.headers);
    events.push({ event, data });
    nth += 1;
    return new Response(null, { status: answer(nth) });
  };
  return { url: 'https://receiver.test/webhooks', secret, fetch, events };
};

/** Emits an event to endpoints like these, and resolves to the deliveries once all of them have ended. */
export const delivered = async (
  mock: Mock,
  ...endpoints: readonly Partial<Endpoint>[]
): Promise<readonly Delivery[]> => {
  for (const endpoint of endpoints) {
    mock.webhooks.add({ url: 'https://receiver.test/webhooks', secret, ...endpoint });
  }
  mock.webhooks.emit('test', {});
  await mock.webhooks.flush();
  return mock.webhooks.deliveries;
};
