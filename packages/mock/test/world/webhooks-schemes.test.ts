import { createWebhooks, standardWebhooks, timestamped } from '@confab/webhooks';
import { expect, test } from 'vitest';
import { open } from '../support/hosts.ts';

const PHONE = '+5511987654321';
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

const schemes = [standardWebhooks(), timestamped({ header: 'stripe-signature' })];

test.each(schemes)(
  'deliveries are signed with $source, also after a snapshot is restored',
  async (signature) => {
    const { mock } = open();
    const bodies: string[] = [];
    const webhooks = createWebhooks({ secret, signature, now: () => mock.clock.now() });
    webhooks.on('message.created', ({ data }) => {
      bodies.push(data.body);
    });
    mock.webhooks.add({ url: 'https://receiver.test/', secret, signature, fetch: webhooks.fetch });
    const before = mock.snapshot();
    await mock.inbound({ phone: PHONE, body: 'one' });
    await mock.webhooks.flush();
    mock.restore(before);
    await mock.inbound({ phone: PHONE, body: 'two' });
    await mock.webhooks.flush();
    expect(bodies).toEqual(['one', 'two']);
  },
);

test('all attempts and duplicates of an event share a signed id, so dedupe needs no key', async () => {
  const { mock } = open();
  const signature = standardWebhooks();
  const webhooks = createWebhooks({ secret, signature, dedupe: {}, now: () => mock.clock.now() });
  const runs: (string | undefined)[] = [];
  webhooks.on('message.created', ({ data }, { id }) => {
    runs.push(id);
    if (data.body === 'fails once' && runs.length === 1) {
      throw new Error('fails once');
    }
  });
  mock.webhooks.add({ url: 'https://receiver.test/', secret, signature, fetch: webhooks.fetch });
  await mock.inbound({ phone: PHONE, body: 'fails once' });
  await mock.webhooks.flush();
  expect(runs).toEqual([expect.stringMatching(/^msg_/), runs[0]]);

  mock.webhooks.deliveryFaults.once({ copies: 3 });
  await mock.inbound({ phone: PHONE, body: 'thrice' });
  await mock.webhooks.flush();
  expect(runs).toHaveLength(3);
  expect(runs[2]).not.toBe(runs[0]);
});

test('a secret that the scheme cannot decode is refused when the endpoint is added', () => {
  const endpoint = { url: 'https://receiver.test/', secret: 'not base64', signature: standardWebhooks() };
  expect(() => open().mock.webhooks.add(endpoint)).toThrow(/secret must be base64/);
});
