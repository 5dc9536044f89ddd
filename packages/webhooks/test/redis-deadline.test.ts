import { EventEmitter } from 'node:events';
import { redisDedupeStore } from '@confab/webhooks/redis';
import { beforeEach, expect, test, vi } from 'vitest';
import { replaceTimeouts } from './support/timeouts.ts';

beforeEach(replaceTimeouts);

const claim = { token: 'mine', leaseMs: 60_000, ttlMs: 60_000 };

/** A client that queues its commands, as clients do while Redis is down. The test replies to them. */
const createClient = () => {
  const replies: ((reply: unknown) => void)[] = [];
  const scripts: string[] = [];
  const client = Object.assign(new EventEmitter(), {
    eval: (script: string) => {
      scripts.push(script);
      return new Promise<unknown>((resolve) => replies.push(resolve));
    },
    sendCommand: () => new Promise<unknown>(() => {}),
  });
  return { client, replies, scripts };
};

const localhost = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' });

test.each<[title: string, error: unknown, text: string]>([
  ['no error', undefined, 'Redis did not respond within 4.5 s. The handlers did not run.'],
  ['an error', new Error('read ECONNRESET'), 'within 4.5 s: read ECONNRESET. The handlers'],
  ['an error for several addresses', localhost, 'within 4.5 s: ECONNREFUSED. The handlers'],
])('after %s of the connection, a claim without a reply fails in 4.5 s', async (_, error, text) => {
  const { client } = createClient();
  const claiming = redisDedupeStore({ client }).claim('a', claim);
  client.emit('error', error);
  const failure = expect(claiming).rejects.toMatchObject({
    code: 'RECEIVER_FAILED',
    message: expect.stringContaining(text),
    cause: error,
  });
  await vi.advanceTimersByTimeAsync(4_500);
  await failure;
});

test('an error of the connection is forgotten once Redis has replied', async () => {
  const { client, replies } = createClient();
  const store = redisDedupeStore({ client });
  client.emit('error', new Error('read ECONNRESET'));
  const first = store.claim('a', claim);
  replies[0]?.('claimed');
  expect(await first).toBe('claimed');
  const failure = expect(store.claim('b', claim)).rejects.toMatchObject({
    message: expect.stringContaining('within 4.5 s. The handlers'),
  });
  await vi.advanceTimersByTimeAsync(4_500);
  await failure;
});

test.each([
  ['claimed', 2],
  ['running', 1],
])('after 4.5 s, a late reply of %s releases the claim if it succeeded', async (state, commands) => {
  const { client, replies, scripts } = createClient();
  const failure = expect(redisDedupeStore({ client }).claim('a', claim)).rejects.toThrow('did not respond');
  await vi.advanceTimersByTimeAsync(4_500);
  await failure;
  replies[0]?.(state);
  await vi.advanceTimersByTimeAsync(0);
  expect(scripts).toHaveLength(commands);
  expect(scripts[1] ?? "'DEL'").toContain("'DEL'");
});
