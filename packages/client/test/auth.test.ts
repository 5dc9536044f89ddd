import { eventually } from '@confab/internal/test-support';
import { afterEach, expect, test, vi } from 'vitest';
import { ConfigurationError, createClient } from '../src/index.ts';
import { clientAt, clientWith } from './support/client.ts';
import { createTestClock } from './support/clock.ts';
import { agent, ids, KEY, lead } from './support/data.ts';
import { errorOf } from './support/error-of.ts';
import { failure, startServer, success } from './support/server.ts';

afterEach(() => vi.unstubAllEnvs());

test.each([
  [undefined, { 'x-api-key': KEY, authorization: undefined }],
  ['bearer', { 'x-api-key': undefined, authorization: `Bearer ${KEY}` }],
] as const)(
  'with auth %s the key travels in its header',
  async (auth, { 'x-api-key': key, authorization }) => {
    const server = await startServer(success([agent]));
    await clientAt(server.url, { auth }).agents.list();
    const [{ headers } = {}] = server.arrivals;
    expect([headers?.['x-api-key'], headers?.authorization]).toEqual([key, authorization]);
  },
);

test('key and base URL come from the environment when they are not given', async () => {
  const server = await startServer(success([agent]));
  vi.stubEnv('CONFAB_BASE_URL', server.url);
  vi.stubEnv('CONFAB_API_KEY', KEY);
  await createClient().agents.list();
  expect(server.arrivals[0]!.headers['x-api-key']).toBe(KEY);
});

test('the key function is called for each attempt, so a key can change', async () => {
  const server = await startServer(failure(503, 'BUSY'), success([agent]));
  let asked = 0;
  const confab = clientAt(server.url, { apiKey: () => `key-${++asked}`, retry: { baseDelay: 0 } });
  await confab.agents.list();
  expect(server.arrivals.map(({ headers }) => headers['x-api-key'])).toEqual(['key-1', 'key-2']);
});

test('calls made while the key function runs share its result', async () => {
  const server = await startServer(success(lead));
  let asked = 0;
  let answer = (_key: string) => {};
  const confab = clientAt(server.url, {
    apiKey: () =>
      new Promise((resolve) => {
        asked += 1;
        answer = resolve;
      }),
  });
  const calls = [1, 2, 3].map(() => confab.leads.get(ids.lead));
  await eventually(() => expect(asked).toBe(1));
  answer(KEY);
  await Promise.all(calls);
  expect(asked).toBe(1);
  expect(server.arrivals.map(({ headers }) => headers['x-api-key'])).toEqual([KEY, KEY, KEY]);
});

test('a key function that fails causes a ConfigurationError, sends nothing and is called again next time', async () => {
  const server = await startServer(success([agent]));
  let asked = 0;
  const confab = clientAt(server.url, {
    apiKey: async () => {
      asked += 1;
      if (asked === 1) {
        throw new RangeError(`vault says ${KEY}`);
      }
      return KEY;
    },
  });
  const error = await errorOf(confab.agents.list(), ConfigurationError);
  expect(error.message).toBe(
    'The `apiKey` function failed with RangeError: vault says [redacted]. Nothing was sent.',
  );
  expect(error.cause).toBeUndefined();
  await confab.agents.list();
  expect(server.arrivals).toHaveLength(1);
});

test.each<[unknown, string]>([
  [
    new TypeError('fetch failed', {
      cause: Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:8200'), { code: 'ECONNREFUSED' }),
    }),
    ' with TypeError: fetch failed: connect ECONNREFUSED 127.0.0.1:8200',
  ],
  [
    Object.assign(new Error('the vault is sealed'), { code: 'VAULT_503' }),
    ' with Error VAULT_503: the vault is sealed',
  ],
  ['a text', ''],
])('the error of a key function is named with its code and its message: %s', async (thrown, reason) => {
  const confab = clientWith({ apiKey: () => Promise.reject(thrown) });
  const error = await errorOf(confab.agents.list(), ConfigurationError);
  expect(error.message).toBe(`The \`apiKey\` function failed${reason}. Nothing was sent.`);
});

test('a key function that returns nothing is named', async () => {
  const confab = clientWith({ apiKey: () => '' });
  const error = await errorOf(confab.agents.list(), ConfigurationError);
  expect(error.message).toBe('The `apiKey` function returned no key. Nothing was sent.');
});

test.each(['', ' ', `${KEY}\n`, 'schlüssel', 'a b'])(
  'a key that is invalid in a header throws at once: %j',
  (apiKey) => {
    expect(() => clientWith({ apiKey })).toThrow(ConfigurationError);
  },
);

test('without a key the error says where to set one', () => {
  vi.stubEnv('CONFAB_API_KEY', undefined);
  expect(() => createClient({ baseUrl: 'https://api.example.com' })).toThrow(/apiKey.*CONFAB_API_KEY/);
});

test.each(['x-api-key', 'X-API-KEY'])(
  'headers that would bypass the client’s key are refused: %s',
  async (name) => {
    const headers = { [name]: 'other' };
    expect(() => clientWith({ headers })).toThrow(ConfigurationError);
    const call = clientWith().agents.list({ headers });
    await errorOf(call, ConfigurationError);
  },
);

test('a lookup of the key that hangs is given up after 30 s, and the next call asks again', async () => {
  const clock = createTestClock();
  const server = await startServer(success(lead));
  const apiKey = vi
    .fn<() => string | Promise<string>>()
    .mockReturnValueOnce(new Promise(() => {}))
    .mockReturnValue(KEY);
  const confab = clientAt(server.url, { apiKey, clock, totalTimeout: false });
  const first = errorOf(confab.leads.get(ids.lead), ConfigurationError);
  const second = errorOf(confab.leads.get(ids.lead), ConfigurationError);
  await eventually(() => expect(clock.timeouts).toBeGreaterThan(0));
  clock.advance(30_000);
  for (const { message } of [await first, await second]) {
    expect(message).toBe('The `apiKey` function did not finish within 30 seconds. Nothing was sent.');
  }
  expect(await confab.leads.get(ids.lead)).toEqual(lead);
  expect(apiKey).toHaveBeenCalledTimes(2);
});

test('a key with an emoji is refused with a readable message', () => {
  expect(() => clientWith({ apiKey: 'confab_live_🔑' })).toThrow(
    'The API key contains a space, a line break or a non-ASCII character.',
  );
});
