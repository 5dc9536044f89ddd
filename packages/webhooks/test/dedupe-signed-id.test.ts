import type { DedupeStore, VerifiedDelivery } from '@confab/webhooks';
import {
  createMemoryDedupeStore,
  createWebhooks,
  sign,
  standardWebhooks,
  timestamped,
} from '@confab/webhooks';
import { expect, test, vi } from 'vitest';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const signature = standardWebhooks();
const seconds = 1_700_000_000;

const deliver = async (
  webhooks: { fetch(request: Request): Promise<Response> },
  { id, n = 1, timestamp = seconds }: { id: string; n?: number; timestamp?: number },
) => {
  const body = JSON.stringify({ event: 'other', data: { n } });
  const headers = await sign(body, { secret, signature, id, timestamp });
  const request = new Request('https://r.test/', { method: 'POST', body, headers });
  return (await webhooks.fetch(request)).status;
};

const receiver = (store?: DedupeStore) => {
  const webhooks = createWebhooks({
    secret,
    signature,
    dedupe: store ? { store } : {},
    now: () => seconds * 1000,
  });
  const handled = vi.fn();
  webhooks.onUnknown(({ data }) => handled(data));
  return { webhooks, handled };
};

test('without a key, deliveries with the same signed id run once, even if their timestamps or bodies differ', async () => {
  const { webhooks, handled } = receiver();
  expect(await deliver(webhooks, { id: 'msg_1' })).toBe(200);
  expect(await deliver(webhooks, { id: 'msg_1', timestamp: seconds + 60 })).toBe(200);
  expect(await deliver(webhooks, { id: 'msg_1', n: 2 })).toBe(200);
  expect(handled.mock.calls).toEqual([[{ n: 1 }]]);
});

test('the same body under another id runs', async () => {
  const { webhooks, handled } = receiver();
  await deliver(webhooks, { id: 'msg_1' });
  await deliver(webhooks, { id: 'msg_2' });
  expect(handled).toHaveBeenCalledTimes(2);
});

test('the store receives the signed id as the key', async () => {
  const memory = createMemoryDedupeStore();
  const claim = vi.fn<DedupeStore['claim']>((key, how) => memory.claim(key, how));
  const { webhooks } = receiver({ ...memory, claim });
  await deliver(webhooks, { id: 'msg_1' });
  expect(claim.mock.calls.map(([key]) => key)).toEqual(['msg_1']);
});

test('a key function still takes precedence, and receives the signed id', async () => {
  const key = vi.fn(({ id }: VerifiedDelivery) => `team-${id}`);
  const memory = createMemoryDedupeStore();
  const claim = vi.fn<DedupeStore['claim']>((name, how) => memory.claim(name, how));
  const store = { ...memory, claim };
  const webhooks = createWebhooks({ secret, signature, dedupe: { key, store }, now: () => seconds * 1000 });
  webhooks.onUnknown(() => {});
  await deliver(webhooks, { id: 'msg_1' });
  expect(claim.mock.calls.map(([name]) => name)).toEqual([
    expect.stringMatching(/^team-msg_1-[0-9a-f]{64}$/),
  ]);
});

test('a scheme that signs no id needs a key', () => {
  for (const other of [timestamped({ header: 'x-sig' }), { header: 'x-sig' }]) {
    expect(() => createWebhooks({ secret: 's', signature: other, dedupe: {} })).toThrow(
      /dedupe\.key must be a function, .* signs no id/,
    );
  }
  const key = 'id' as never;
  expect(() => createWebhooks({ secret, signature, dedupe: { key } })).toThrow(/dedupe\.key must be/);
});
