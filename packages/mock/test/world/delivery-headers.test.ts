import { standardWebhooks } from '@confab/webhooks';
import { expect, test } from 'vitest';
import type { Endpoint } from '../../src/index.ts';
import { createMock } from '../../src/index.ts';
import { delivered } from '../support/receiver.ts';

/** A mock, what delivers once to an endpoint, and the headers of its deliveries. */
const delivering = (endpoint: Partial<Endpoint>, statuses: readonly number[] = []) => {
  const mock = createMock();
  const seen: Headers[] = [];
  const fetch = ({ headers }: Request): Response => {
    seen.push(headers);
    return new Response(null, { status: statuses[seen.length - 1] ?? 200 });
  };
  return { mock, seen, deliver: () => delivered(mock, { fetch, ...endpoint }) };
};

test('deliveries carry the headers of their endpoint, which may replace the content type but not the signature', async () => {
  const { mock, seen, deliver } = delivering({
    headers: { Authorization: 'Bearer hush', 'Content-Type': 'text/json', 'X-Webhook-Signature': 'forged' },
  });
  await deliver();
  expect(Object.fromEntries(seen[0] ?? [])).toEqual({
    authorization: 'Bearer hush',
    'content-type': 'text/json',
    'x-webhook-signature': expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(JSON.stringify(mock.webhooks.endpoints)).not.toContain('hush');
});

test.each<[header: string, endpoint: Partial<Endpoint>]>([
  ['x-id', { idHeader: 'X-Id', headers: { 'x-id': 'forged' } }],
  // The scheme signs an id of its own.
  ['webhook-id', { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', signature: standardWebhooks() }],
])(
  'the %s is the same for attempts, copies and redeliveries of an event, and another for the next',
  async (header, endpoint) => {
    const { mock, seen, deliver } = delivering(endpoint, [500]);
    mock.webhooks.deliveryFaults.once({ copies: 2 });
    const [first] = await deliver();
    mock.webhooks.redeliver(first?.id ?? '');
    await delivered(mock);
    const [next, ...ids] = seen.map((headers) => headers.get(header)).toReversed();
    expect(ids).toEqual(Array(4).fill(first?.messageId));
    expect(next).toMatch(/^msg_/);
    expect(next).not.toBe(first?.messageId);
  },
);
