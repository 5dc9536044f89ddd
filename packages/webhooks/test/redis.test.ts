import { spawnSync } from 'node:child_process';
import { startRedisServer } from '@confab/internal/test-support';
import { redisDedupeStore } from '@confab/webhooks/redis';
import { createClient } from 'redis';
import { test as anyTest, expect, onTestFinished } from 'vitest';

/** The scripts run in a real Redis, so these tests need one. */
const test = anyTest.skipIf(spawnSync('redis-server', ['--version']).error !== undefined);

const claim = (token: string) => ({ token, leaseMs: 60_000, ttlMs: 60_000 });

const createStore = async () => {
  const { url } = await startRedisServer();
  const client = createClient({ url });
  onTestFinished(() => client.destroy());
  return redisDedupeStore({ client: await client.connect() });
};

test('a key is running until its own token completes or releases it', async () => {
  const store = await createStore();
  expect(await store.claim('a', claim('mine'))).toBe('claimed');
  await store.release('a', claim('other'));
  expect(await store.claim('a', claim('next'))).toBe('running');
  await store.release('a', claim('mine'));
  expect(await store.claim('a', claim('next'))).toBe('claimed');
  await store.complete('a', claim('next'));
  await store.release('a', claim('next'));
  expect(await store.claim('a', claim('again'))).toBe('completed');
  expect(await store.claim('b', claim('again'))).toBe('claimed');
});

test('a claim that the client sends again, because the connection was lost before the reply, succeeds', async () => {
  const store = await createStore();
  expect(await store.claim('a', claim('mine'))).toBe('claimed');
  expect(await store.claim('a', claim('mine'))).toBe('claimed');
  await store.complete('a', claim('mine'));
  expect(await store.claim('a', claim('mine'))).toBe('completed');
});
