import { createWebhooks, standardWebhooks } from '@confab/webhooks';
import { expect, test } from 'vitest';
import type { Endpoint } from '../../src/index.ts';
import { createMock } from '../../src/index.ts';
import { secret, signature } from '../support/receiver.ts';
import { start } from '../support/serving.ts';

const URL_IN_PROCESS = 'https://receiver.test/webhooks';

/** A mock with one endpoint, and the headers of what it delivers. */
const delivering = (endpoint: Partial<Endpoint>, statuses: readonly number[] = []) => {
  const mock = createMock();
  const seen: Headers[] = [];
  const fetch = ({ headers }: Request): Response => {
    seen.push(headers);
    return new Response(null, { status: statuses[seen.length - 1] ?? 200 });
  };
  mock.webhooks.add({ url: URL_IN_PROCESS, secret, fetch, ...endpoint });
  return { mock, seen };
};

test('deliveries carry the headers of their endpoint', async () => {
  const { mock, seen } = delivering({ headers: { Authorization: 'Bearer hush', 'x-tenant': 'acme' } });
  mock.webhooks.emit('lead.created', {});
  await mock.webhooks.flush();
  expect(seen[0]?.get('authorization')).toBe('Bearer hush');
  expect(seen[0]?.get('x-tenant')).toBe('acme');
  expect(seen[0]?.get('content-type')).toBe('application/json');
});

test('headers may replace the content type, but not the signature or the id', async () => {
  const { mock, seen } = delivering({
    headers: { 'Content-Type': 'text/json', 'X-Webhook-Signature': 'forged', 'X-Id': 'forged' },
    idHeader: 'x-id',
  });
  mock.webhooks.emit('lead.created', {});
  await mock.webhooks.flush();
  expect(seen[0]?.get('content-type')).toBe('text/json');
  expect(seen[0]?.get('x-webhook-signature')).toMatch(/^[0-9a-f]{64}$/);
  expect(seen[0]?.get('x-id')).toBe(mock.webhooks.deliveries[0]?.messageId);
});

test('the id is the same for attempts, copies and redeliveries of an event, and another for the next', async () => {
  const { mock, seen } = delivering({ idHeader: 'X-Event-Id' }, [500]);
  mock.webhooks.deliveryFaults.once({ copies: 2 });
  mock.webhooks.emit('lead.created', {});
  await mock.webhooks.flush();
  const [first] = mock.webhooks.deliveries;
  mock.webhooks.redeliver(first?.id ?? '');
  await mock.webhooks.flush();
  expect(seen.map((headers) => headers.get('x-event-id'))).toEqual(Array(4).fill(first?.messageId));
  mock.webhooks.emit('lead.created', {});
  await mock.webhooks.flush();
  expect(seen.at(-1)?.get('x-event-id')).toMatch(/^msg_/);
  expect(seen.at(-1)?.get('x-event-id')).not.toBe(first?.messageId);
});

test('a receiver that dedupes by the id handles an event once, however often it is delivered', async () => {
  const webhooks = createWebhooks({
    secret,
    signature,
    dedupe: { key: ({ headers }) => headers.get('x-event-id') ?? undefined },
  });
  const bodies: string[] = [];
  webhooks.on('message.created', ({ data }) => {
    bodies.push(data.body);
  });
  const mock = createMock();
  mock.webhooks.add({ url: URL_IN_PROCESS, secret, fetch: webhooks.fetch, idHeader: 'x-event-id' });
  mock.webhooks.deliveryFaults.once({ copies: 3 });
  await mock.inbound({ phone: '+5511987654321', body: 'Hello' });
  await mock.webhooks.flush();
  mock.webhooks.redeliver(mock.webhooks.deliveries[0]?.id ?? '');
  await mock.webhooks.flush();
  expect(mock.webhooks.deliveries.map(({ state }) => state)).toEqual(Array(4).fill('delivered'));
  expect(bodies).toEqual(['Hello']);
});

test('the id is the one that a scheme signs', async () => {
  const { mock, seen } = delivering({
    signature: standardWebhooks(),
    idHeader: 'x-event-id',
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  });
  mock.webhooks.emit('lead.created', {});
  await mock.webhooks.flush();
  expect(seen[0]?.get('x-event-id')).toBe(seen[0]?.get('webhook-id'));
});

test('headers that no delivery can have are refused, and their values are not shown', () => {
  for (const [endpoint, says] of [
    [
      { headers: { 'two words': 'x' } },
      'Each name in the `headers` of an endpoint must be the name of a header',
    ],
    [{ headers: { Host: 'x' } }, 'must not be "Host", because only the connection can set that header'],
    [{ headers: { TE: 'x' } }, 'must not be "TE", because only the connection can set that header'],
    [
      { headers: { 'x-token': 'hush\nhush' } },
      'The header `x-token` of an endpoint contains characters not allowed',
    ],
    [{ headers: { 'x-token': 5 } }, 'got a number'],
    [{ headers: ['x-token'] }, 'must be an object of names and values, got an array'],
    [{ headers: new Headers() }, 'got a Headers object'],
    [{ idHeader: '' }, 'The `idHeader` of an endpoint must be the name of a header, got ""'],
    [{ idHeader: 'content-length' }, 'must not be "content-length"'],
    [{ idHeader: 5 }, 'must be the name of a header, got 5'],
    [{ idheader: 'x-id' }, 'Did you mean `idHeader`?'],
  ] as const) {
    const add = () => delivering(endpoint as unknown as Endpoint);
    expect(add).toThrow(says);
    expect(add).not.toThrow('hush');
  }
});

test('headers stay out of the list of endpoints, in the process and outside it', async () => {
  await using service = await start();
  const endpoint = {
    url: 'http://127.0.0.1:1/',
    secret,
    headers: { authorization: 'hush' },
    idHeader: 'x-id',
  };
  expect((await service.control('POST', 'webhooks/endpoints', endpoint)).status).toBe(201);
  const listed = await service.control('GET', 'webhooks/endpoints');
  expect(listed.data).toMatchObject([{ idHeader: 'x-id' }]);
  for (const shown of [listed.data, service.mock.webhooks.endpoints]) {
    expect(JSON.stringify(shown)).not.toContain('hush');
  }
});
