import { createContext, runInContext } from 'node:vm';
import { expect, test } from 'vitest';
import type { ClientOptions } from '../src/index.ts';
import { ConfigurationError } from '../src/index.ts';
import { clientWith } from './support/client.ts';
import { createTestClock } from './support/clock.ts';
import { funnel, ids } from './support/data.ts';
import { errorOf } from './support/error-of.ts';

const context = createContext({});

/** Evaluates an expression in another realm, as Jest runs its tests: its `Error` and its `Date` are not ours. */
const elsewhere = (expression: string) => runInContext(`(${expression})`, context);

const rejecting = (expression: string): ClientOptions => ({
  clock: createTestClock(),
  fetch: () => Promise.reject(elsewhere(expression)),
});

test.each<[string, string, message: string]>([
  [
    'an error with a cause',
    "new TypeError('fetch failed', { cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }) })",
    'leads.get got no response from https://api.example.com (attempt 4): read ECONNRESET.',
  ],
  [
    'an error for each address',
    "new AggregateError([new Error('first'), new Error('second')])",
    'leads.get got no response from https://api.example.com (attempt 4): first, second.',
  ],
  [
    'a mistake in the code of `fetch`',
    "new TypeError('client.send is not a function')",
    'leads.get got no response from https://api.example.com (attempt 1): client.send is not a function.',
  ],
  [
    'a misspelled name in the code of `fetch`',
    "new ReferenceError('dispacher is not defined')",
    'leads.get got no response from https://api.example.com (attempt 1): dispacher is not defined.',
  ],
  [
    'a 407, which Node hides',
    "new TypeError('fetch failed', { cause: new Error('') })",
    'leads.get failed with 407: a proxy asks for credentials',
  ],
])('an error of another realm has the same effect as any other: %s', async (_, expression, message) => {
  const error = await errorOf(clientWith(rejecting(expression)).leads.get(ids.lead), Error);
  expect(error.message).toBe(message);
});

test.each(['apiKey', 'headers'] as const)(
  'the %s function may throw an error of another realm',
  async (name) => {
    const thrown = elsewhere("new RangeError('the vault is sealed')");
    const error = await errorOf(
      clientWith({ [name]: () => Promise.reject(thrown) }).leads.get(ids.lead),
      ConfigurationError,
    );
    expect(error.message).toContain('the vault is sealed');
  },
);

test('a date of another realm is accepted', async () => {
  const urls: string[] = [];
  const fetch: ClientOptions['fetch'] = async (url) => {
    urls.push(url);
    return Response.json({ success: true, data: funnel });
  };
  await clientWith({ fetch }).analytics.funnel({ from: elsewhere("new Date('2026-01-01')") });
  expect(new URL(urls[0]!).searchParams.get('from')).toBe('2026-01-01T00:00:00.000Z');
});
