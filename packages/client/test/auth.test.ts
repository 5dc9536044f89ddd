import { eventually } from '@confab/internal/test-support';
import { afterEach, expect, test, vi } from 'vitest';
import type { ClientOptions } from '../src/index.ts';
import { AuthenticationError, ConfigurationError, createClient, TimeoutError } from '../src/index.ts';
import { clientAt, clientWith } from './support/client.ts';
import { createTestClock } from './support/clock.ts';
import { agent, ids, KEY, lead } from './support/data.ts';
import { errorOf } from './support/error-of.ts';
import type { Responder } from './support/server.ts';
import { failure, startServer, success } from './support/server.ts';

/** Creates a function that returns a different key each time. */
const changingKey = () => {
  let asked = 0;
  return () => `key-${++asked}`;
};

afterEach(() => vi.unstubAllEnvs());

test.each([
  [undefined, { 'x-api-key': KEY, authorization: undefined }],
  ['bearer', { 'x-api-key': undefined, authorization: `Bearer ${KEY}` }],
] as const)(
  'with the option auth: %s, requests have the key in its header',
  async (auth, { 'x-api-key': key, authorization }) => {
    const server = await startServer(success([agent]));
    await clientAt(server.url, { auth }).agents.list();
    const [{ headers } = {}] = server.arrivals;
    expect([headers?.['x-api-key'], headers?.authorization]).toEqual([key, authorization]);
  },
);

test('apiKey and baseUrl default to environment variables', async () => {
  const server = await startServer(success([agent]));
  vi.stubEnv('CONFAB_BASE_URL', server.url);
  vi.stubEnv('CONFAB_API_KEY', KEY);
  await createClient().agents.list();
  expect(server.arrivals[0]!.headers['x-api-key']).toBe(KEY);
});

/** Accepts one key, which the test can replace. */
const accepting =
  (valid: { key: string }, { status = 200, data = lead as unknown } = {}): Responder =>
  (arrival, ...exchange) =>
    (arrival.headers['x-api-key'] === valid.key ? success(data, status) : failure(401, 'API_KEY_INVALID'))(
      arrival,
      ...exchange,
    );

test.each(['GET', 'POST'])(
  'a %s is retried once after a 401 if the key function returns a new key',
  async (method) => {
    const isPost = method === 'POST';
    const valid = { key: 'key-new' };
    const server = await startServer(accepting(valid, isPost ? { status: 201 } : {}));
    const keys = ['key-old'];
    const onRetry = vi.fn();
    const confab = clientAt(server.url, {
      apiKey: async () => keys.shift() ?? 'key-new',
      hooks: { onRetry },
    });
    const call = isPost ? confab.leads.create({ phone: lead.phone }) : confab.leads.get(ids.lead);
    const { data, response } = await call.withResponse();
    expect(data).toEqual(lead);
    expect(response.attempts).toBe(2);
    expect(server.arrivals.map(({ headers }) => headers['x-api-key'])).toEqual(['key-old', 'key-new']);
    expect(onRetry).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ reason: 'status', status: 401, delayMs: 0, attempt: 1 }),
    );
  },
);

test.each<[string, ClientOptions, attempts: number]>([
  ['the key is a string', { apiKey: KEY }, 1],
  ['the function returns the same key', { apiKey: () => KEY }, 1],
  ['retry is false', { apiKey: changingKey(), retry: false }, 1],
  ['the new key is refused too', { apiKey: changingKey() }, 2],
])('a call rejects with the 401 when %s', async (_, options, attempts) => {
  const server = await startServer(failure(401, 'API_KEY_INVALID'));
  const error = await errorOf(
    clientAt(server.url, options).leads.create({ phone: lead.phone }),
    AuthenticationError,
  );
  expect(error.attempts).toBe(attempts);
  expect(error.message).not.toContain('may have acted');
  expect(server.arrivals).toHaveLength(attempts);
});

test('a retry with a new key does not count against retry.limit', async () => {
  const server = await startServer(failure(401, 'API_KEY_INVALID'), failure(503, 'BUSY'), success(lead));
  const confab = clientAt(server.url, { apiKey: changingKey(), retry: { limit: 1, baseDelay: 0 } });
  expect(await confab.leads.get(ids.lead)).toEqual(lead);
});

test('calls that get a 401 at once each ask for the new key, and an import survives the change', async () => {
  const valid = { key: 'key-old' };
  let arrived = 0;
  const server = await startServer((...exchange) => {
    arrived += 1;
    valid.key = arrived < 6 ? 'key-old' : 'key-new';
    return accepting(valid, { status: 201 })(...exchange);
  });
  const confab = clientAt(server.url, { apiKey: async () => valid.key, concurrency: 4 });
  const rows = Array.from({ length: 30 }, (_, index) => ({ phone: `+44207946${1_000 + index}` }));
  expect(await confab.leads.ensureMany(rows)).toMatchObject({ done: 30, created: 30 });
});

test('when the key function fails after a 401, the call rejects with the 401', async () => {
  const server = await startServer(failure(401, 'API_KEY_INVALID'));
  const apiKey = vi
    .fn(() => Promise.reject(new Error('the login has expired')))
    .mockResolvedValueOnce(KEY as never);
  const error = await errorOf(clientAt(server.url, { apiKey }).leads.get(ids.lead), AuthenticationError);
  expect(error.code).toBe('API_KEY_INVALID');
  expect(apiKey).toHaveBeenCalledTimes(2);
});

test.each(['apiKey', 'headers'] as const)(
  'when the `%s` function fails before a retry, the error warns that the service may have acted',
  async (option) => {
    const server = await startServer(failure(503, 'BUSY'));
    const provide = vi
      .fn(() => Promise.reject(new Error('the vault is sealed.')))
      .mockResolvedValueOnce((option === 'apiKey' ? KEY : {}) as never);
    const confab = clientAt(server.url, { [option]: provide, retry: { nonIdempotent: true, baseDelay: 0 } });
    const error = await errorOf(confab.leads.create({ phone: lead.phone }), ConfigurationError);
    expect(error.message).toBe(
      `The \`${option}\` function failed with Error: the vault is sealed. The request was not sent again. The lead may have been created: leads.ensure is safe to retry.`,
    );
  },
);

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
])(
  'the error of a call contains the code and message of the error of its key function: %s',
  async (thrown, reason) => {
    const confab = clientWith({ apiKey: () => Promise.reject(thrown) });
    const error = await errorOf(confab.agents.list(), ConfigurationError);
    expect(error.message).toBe(`The \`apiKey\` function failed${reason}. The request was not sent.`);
  },
);

test('the error names a key function that returns nothing', async () => {
  const confab = clientWith({ apiKey: () => '' });
  const error = await errorOf(confab.agents.list(), ConfigurationError);
  expect(error.message).toBe('The `apiKey` function returned no key. The request was not sent.');
});

test('without an API key, the error says where to set it', () => {
  vi.stubEnv('CONFAB_API_KEY', undefined);
  expect(() => createClient({ baseUrl: 'https://api.example.com' })).toThrow(/apiKey.*CONFAB_API_KEY/);
});

test.each(['x-api-key', 'X-API-KEY'])(
  'the option `headers` must not contain the header of the key: %s',
  async (name) => {
    const headers = { [name]: 'other' };
    expect(() => clientWith({ headers })).toThrow(ConfigurationError);
    const call = clientWith().agents.list({ headers });
    await errorOf(call, ConfigurationError);
  },
);

test.each([
  ['apiKey', KEY],
  ['headers', {}],
])('the `%s` function times out after 30 s, and the next call calls it again', async (option, value) => {
  const clock = createTestClock();
  const server = await startServer(success(lead));
  const provide = vi.fn<() => unknown>(() => value);
  provide.mockReturnValueOnce(new Promise(() => {}));
  const confab = clientAt(server.url, { clock, totalTimeout: false, [option]: provide });
  const call = errorOf(confab.leads.get(ids.lead), ConfigurationError);
  await eventually(() => expect(clock.timeouts).toBeGreaterThan(0));
  clock.advance(30_000);
  expect((await call).message).toBe(
    `The \`${option}\` function has not returned within 30 seconds. The request was not sent.`,
  );
  expect(await confab.leads.get(ids.lead)).toEqual(lead);
  expect([server.arrivals.length, clock.timeouts]).toEqual([1, 0]);
});

test.each(['apiKey', 'headers'] as const)(
  'when the total timeout ends while the `%s` function hangs, the error says so',
  async (option) => {
    const clock = createTestClock();
    const hangs = vi.fn(() => new Promise<never>(() => {}));
    const confab = clientWith({ clock, totalTimeout: 5_000, [option]: hangs });
    const call = errorOf(confab.leads.get(ids.lead), TimeoutError);
    await eventually(() => expect(hangs).toHaveBeenCalled());
    clock.advance(5_000);
    expect((await call).message).toBe(
      `leads.get exceeded its total timeout of 5 s: the \`apiKey\` or \`headers\` function has not returned, so nothing was sent.`,
    );
  },
);

test('a call can be aborted while its key function hangs', async () => {
  const controller = new AbortController();
  const confab = clientWith({ apiKey: () => new Promise<never>(() => {}) });
  const call = confab.leads.get(ids.lead, { signal: controller.signal }).catch((reason: unknown) => reason);
  controller.abort('enough');
  expect(await call).toBe('enough');
  expect(confab.rateLimit.inFlight).toBe(0);
});

test.each<[string, unknown, string]>([
  ['an emoji', 'a-key-🔑', 'The API key contains a space, a line break or a non-ASCII character.'],
  ['a line break at its end', 'a-key\r\n', 'The API key has a line break at its end: use .trim().'],
  ['a space at its beginning', ' a-key', 'The API key has a space at its beginning: use .trim().'],
  [
    'the scheme of its header',
    'Bearer a-key',
    'The API key begins with `Bearer`. Leave that word out: `auth: "bearer"` adds it.',
  ],
  ['quotation marks around it', '"a-key"', 'The API key is in quotation marks: leave them out.'],
  ['a promise around it', Promise.resolve('a-key'), 'The API key must be a string, got a Promise: await it.'],
])('createClient refuses a key with %s, and says what to change', (_, apiKey, message) => {
  expect(() => clientWith({ apiKey: apiKey as string })).toThrow(
    expect.objectContaining({ name: 'ConfigurationError', message }),
  );
});
