import { eventually } from '@confab/internal/test-support';
import type { Inbox } from '@confab/webhooks';
import { createWebhooks, standardWebhooks, WebhookConfigurationError } from '@confab/webhooks';
import { postgresInbox } from '@confab/webhooks/postgres';
import { Client, Pool } from 'pg';
import { expect, test, vi } from 'vitest';
import { createReceiver, secret, signature } from './support/receiver.ts';
import { replaceTimeouts } from './support/timeouts.ts';

/** A pool that connects to nothing. */
const pool = new Pool();

test.each([
  [undefined, /must be an object/],
  [{}, '`pool` must be a Pool of pg or a PGlite, got undefined.'],
  [{ pool: new Client() }, '`pool` must be a Pool of pg or a PGlite, got an object.'],
  [
    { pool, table: 'a"b' },
    '`table` must be a name of letters, digits and _, with or without a schema, got "a\\"b".',
  ],
  [{ pool, table: 'a.b.c' }, '`table` must be'],
  [{ pool, lockTimeoutMs: 0 }, '`lockTimeoutMs` must be a whole number of at least 1, got 0.'],
  [{ pool, key: 'id' }, '`key` must be a function, got "id".'],
  [{ pool, serialise: () => 'a' }, 'Did you mean `serialize`?'],
])('postgresInbox() refuses %o', (options, text) => {
  const create = () => postgresInbox(options as never);
  expect(create).toThrow(WebhookConfigurationError);
  expect(create).toThrow(text);
});

test.each([undefined, -1])('forget() refuses %s milliseconds', async (olderThanMs) => {
  const forget = postgresInbox({ pool }).forget({ olderThanMs: olderThanMs as number });
  await expect(forget).rejects.toThrow(/`olderThanMs` must be a whole number of at least 0, got /);
});

test('createWebhooks() accepts an inbox without a key only with a scheme that signs ids', () => {
  const dedupe = postgresInbox({ pool });
  const encoded = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  createWebhooks({ secret: encoded, signature: standardWebhooks(), dedupe });
  expect(() => createWebhooks({ secret, signature, dedupe })).toThrow(
    '`dedupe.key` must be a function, because this scheme signs no id, got undefined.',
  );
});

test.each<[name: unknown, shown: string]>([
  [7, '7'],
  [Promise.resolve('a'), 'a Promise: await it'],
])('a `serialize` that returns %o causes a 500, and no handler runs', async (name, shown) => {
  const dedupe = postgresInbox({ pool, key: () => 'a', serialize: () => name as string });
  const { deliver, handled, errors } = createReceiver({ dedupe: dedupe as Inbox });
  expect([await deliver(), handled]).toEqual([500, []]);
  const problem = `serialize must return undefined or a non-empty string, got ${shown}. `;
  expect(errors).toMatchObject([{ code: 'RECEIVER_FAILED', message: expect.stringContaining(problem) }]);
});

test('many inboxes may share a pool, which gets one listener', () => {
  const shared = new Pool();
  for (let count = 0; count < 11; count += 1) {
    postgresInbox({ pool: shared });
  }
  expect(shared.listenerCount('error')).toBe(1);
});

test('a delivery fails if the pool has no client for five seconds, and a late client is returned to the pool', async () => {
  replaceTimeouts();
  const connecting = Promise.withResolvers<never>();
  const connect = vi.fn(() => connecting.promise);
  const { deliver, handled, errors } = createReceiver({
    dedupe: { key: () => 'a', run: postgresInbox({ pool: { connect, query: connect, on() {} } }).run },
  });
  const response = deliver();
  await eventually(() => expect(connect).toHaveBeenCalled());
  await vi.advanceTimersByTimeAsync(5_000);
  expect([await response, handled]).toEqual([500, []]);
  expect(errors).toMatchObject([
    {
      code: 'RECEIVER_FAILED',
      message: expect.stringMatching(/^The pool had no client within 5000 ms\. Let handlers/),
    },
  ]);
  const release = vi.fn();
  connecting.resolve({ on() {}, removeListener() {}, query: async () => ({}), release } as never);
  await vi.advanceTimersByTimeAsync(1);
  expect(release).toHaveBeenCalledOnce();
});

test('postgresInbox() escapes quotes in a key', async () => {
  const statements: string[] = [];
  const query = async (text: string) => {
    statements.push(text);
    return [{}, {}, { rows: [{}] }, {}];
  };
  const client = { query, on() {}, removeListener() {}, release() {} };
  const { run } = postgresInbox({ pool: { connect: async () => client, query, on() {} } });
  const delivery = { event: 'a', data: {}, headers: new Headers(), id: undefined };
  await run("a'; drop table b; --", delivery, async () => undefined).catch(() => {});
  expect(statements[0]).toContain("values ('a''; drop table b; --')");
});
