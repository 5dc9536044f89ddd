import { expect, test } from 'vitest';
import { ConnectionError } from '../src/index.ts';
import { clientWith } from './support/client.ts';
import { createTestClock } from './support/clock.ts';
import { ids } from './support/data.ts';
import { errorOf } from './support/error-of.ts';

test.each([
  ['nothing', undefined, 'undefined'],
  ['null', null, 'null'],
  ['a number', 5, 'a number'],
  ['an imitation', { ok: true, status: 200, json: async () => ({}) }, 'an object'],
])('a `fetch` that resolves with %s is named, and called once', async (_, answer, got) => {
  const confab = clientWith({ clock: createTestClock(), fetch: async () => answer as unknown as Response });
  const error = await errorOf(confab.leads.get(ids.lead), ConnectionError);
  expect(error.message).toBe(
    `leads.get got no response from https://api.example.com (attempt 1): the \`fetch\` of createClient must resolve with a Response, got ${got}.`,
  );
});
