import { expect, test } from 'vitest';
import { ConnectionError, createClient } from '../src/index.ts';
import { caught } from './support/caught.ts';
import { createTestClock } from './support/clock.ts';
import { ids, KEY } from './support/data.ts';

const within = (cause: Error) => new TypeError('fetch failed', { cause });

const meet = async (error: unknown, method: 'get' | 'post' = 'get') => {
  let sent = 0;
  const confab = createClient({
    baseUrl: 'https://api.example.com',
    apiKey: KEY,
    clock: createTestClock(),
    fetch: async () => {
      sent += 1;
      throw error;
    },
  });
  const call =
    method === 'get' ? confab.leads.get(ids.lead) : confab.leads.create({ phone: '+5511987654321' });
  return { error: await caught(call, ConnectionError), sent };
};

test.each<[string, Error]>([
  ['a port that no fetch goes to', within(new Error('bad port'))],
  ['a fetch with a mistake in it', new TypeError('init.headers.forEeach is not a function')],
  ['a fetch with a misspelled name', new ReferenceError('dispacher is not defined')],
])('an error that every attempt would meet is thrown at once: %s', async (_, reason) => {
  const { error, sent } = await meet(reason);
  expect(sent).toBe(1);
  const { message } = (reason.cause ?? reason) as Error;
  expect(error.message).toContain(message);
  expect(error).toMatchObject({ attempts: 1, code: 'CONNECTION_FAILED' });
  const post = await meet(reason, 'post');
  expect(post.error.message).not.toContain('The service may have acted');
});
