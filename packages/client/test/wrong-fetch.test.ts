import { expect, test, vi } from 'vitest';
import { ConnectionError } from '../src/index.ts';
import { clientWith } from './support/client.ts';
import { createTestClock } from './support/clock.ts';
import { ids, lead } from './support/data.ts';
import { errorOf } from './support/error-of.ts';

test.each([
  ['nothing', undefined, 'undefined'],
  ['a number', 5, 'a number'],
  ['an imitation', { ok: true, status: 200, json: async () => ({}) }, 'an object'],
])('the error names a `fetch` that resolves with %s, and the call is not retried', async (_, answer, got) => {
  const confab = clientWith({ clock: createTestClock(), fetch: async () => answer as unknown as Response });
  const error = await errorOf(confab.leads.get(ids.lead), ConnectionError);
  expect(error.message).toBe(
    `leads.get got no response from https://api.example.com (attempt 1): the \`fetch\` of createClient must resolve with a Response, got ${got}.`,
  );
  const write = await errorOf(confab.leads.create({ phone: lead.phone }), ConnectionError);
  expect(write.message).toMatch(
    / got [\w ]+\. The lead may have been created: leads.ensure is safe to retry\.$/,
  );
});

test.each([
  [
    'Node',
    Object.assign(new TypeError('Failed to parse URL from /api', { cause: new TypeError('Invalid URL') })),
  ],
  ['Deno', new TypeError("Invalid URL: '/api'")],
  ['Firefox', new TypeError('Window.fetch: http://a:b is not a valid URL.')],
  ['Bun', new TypeError('fetch() URL is invalid')],
])('an error of `fetch` about an invalid URL is quoted and not retried: on %s', async (_, thrown) => {
  const fetch = vi.fn(() => Promise.reject(thrown));
  const error = await errorOf(
    clientWith({ clock: createTestClock(), fetch }).leads.create({ phone: lead.phone }),
    ConnectionError,
  );
  expect(fetch).toHaveBeenCalledTimes(1);
  expect(error.message).toMatch(/\(attempt 1\): .*URL/);
  expect(error.message).not.toContain('may have acted');
});
