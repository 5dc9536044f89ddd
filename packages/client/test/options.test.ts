import { afterEach, expect, test, vi } from 'vitest';
import type { ClientOptions } from '../src/index.ts';
import { ConfigurationError, createClient } from '../src/index.ts';
import { clientWith } from './support/client.ts';
import { agent, ids, KEY } from './support/data.ts';
import { errorOf } from './support/error-of.ts';
import { startServer, success } from './support/server.ts';

const base = { baseUrl: 'https://api.example.com', apiKey: KEY };

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

test.each([
  'http://api.example.com',
  'http://[::2]',
  'ftp://localhost',
  'api.example.com',
  'https://user:pass@api.example.com',
  'https://api.example.com?x=1',
  'https://api.example.com#x',
  '',
])('createClient refuses the base URL %j', (baseUrl) => {
  vi.stubEnv('CONFAB_BASE_URL', '');
  expect(() => createClient({ ...base, baseUrl })).toThrow(ConfigurationError);
});

test('dangerouslyAllowHttp allows http to other hosts, and nothing else', () => {
  const create = (baseUrl: string, allowed: unknown = true) =>
    createClient({ ...base, baseUrl, dangerouslyAllowHttp: allowed } as ClientOptions);
  expect(() => create('http://mock:4010')).not.toThrow();
  for (const refused of ['ftp://mock', 'http://user:pass@mock', 'http://mock?x=1', 'mock:4010']) {
    expect(() => create(refused)).toThrow(ConfigurationError);
  }
  expect(() => create('http://mock:4010', false)).toThrow(/must use https \(or http on loopback\)/);
  expect(() => create('http://mock:4010', 'yes')).toThrow(/`dangerouslyAllowHttp` must be/);
});

test.each<[unknown, string]>([
  ['localhost:4010', '`baseUrl` has no scheme: did you mean http://localhost:4010?'],
  ['127.0.0.1:4010/api/v2/public', '`baseUrl` has no scheme: did you mean http://127.0.0.1:4010?'],
  ['[::1]:4010', '`baseUrl` has no scheme: did you mean http://[::1]:4010?'],
  ["'https://api.example.com'", 'The base URL is in quotation marks: leave them out.'],
  // Other hosts are not shown, because a key may look like one.
  ['mock:4010', '`baseUrl` must be a URL such as https://api.example.com or http://localhost:4010.'],
  [Promise.resolve('https://api.example.com'), 'or http://localhost:4010, got a Promise: await it.'],
])('createClient refuses the base URL %j, and says what to do', (baseUrl, message) => {
  expect(() => createClient({ ...base, baseUrl: baseUrl as string })).toThrow(message);
});

test('the message about a base URL with a password does not contain it', () => {
  expect(() => createClient({ ...base, baseUrl: 'http://user:hunter2@api.example.com' })).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining('hunter2') }),
  );
});

test.each(['http://localhost:1', 'http://api.localhost', 'http://127.8.9.1', 'http://[::1]:3000'])(
  'createClient accepts http for the loopback address %s',
  (baseUrl) => {
    expect(() => createClient({ ...base, baseUrl })).not.toThrow();
  },
);

test.each([
  ['', '/api/v2/public/agents'],
  ['/', '/api/v2/public/agents'],
  ['/gateway', '/gateway/api/v2/public/agents'],
  ['/gateway/eu/', '/gateway/eu/api/v2/public/agents'],
  ['/gateway/api/v2/public/', '/gateway/api/v2/public/agents'],
])('with the base URL path %j, requests go to %s', async (prefix, path) => {
  const server = await startServer(success([agent]));
  await createClient({ ...base, baseUrl: new URL(server.url + prefix) }).agents.list();
  expect(server.arrivals[0]!.path).toBe(path);
});

test.each<[Partial<Record<keyof ClientOptions, unknown>>, string]>([
  [{ auth: 'basic' }, '`auth` must be one of "x-api-key", "bearer", got "basic".'],
  [{ concurrency: 0 }, '`concurrency` must be a whole number of at least 1, got 0.'],
  [
    { rateLimit: 60 },
    '`rateLimit` must be "learn", false, or an object such as { requests: 60, perMs: 60_000 }, got 60.',
  ],
  [{ retry: 5 }, '`retry` must be false, or an object such as { limit: 3 }, got 5.'],
  [{ clock: Date }, '`clock` must be an object with the methods `now` and `sleep`, got a function.'],
  [
    { clock: { now: () => Number.NaN, sleep: async () => {} } },
    '`clock.now()` must be a number of milliseconds, got NaN.',
  ],
  [
    { logger: { wrn() {} } },
    '`logger` must be an object with `debug`, `info` or `warn` functions, got an object.',
  ],
  [
    { logger: { info: 'x' } },
    '`logger` must be an object with `debug`, `info` or `warn` functions, got an object.',
  ],
  [
    { rateLimit: { requests: 0, perMs: 1000 } },
    '`rateLimit.requests` must be a whole number of at least 1, got 0.',
  ],
  [{ maxResponseBytes: 1.5 }, '`maxResponseBytes` must be a whole number of at least 1, got 1.5.'],
  [{ retry: { limit: -1 } }, '`retry.limit` must be a whole number of at least 0, got -1.'],
  [{ retry: { nonIdempotent: 'yes' } }, '`retry.nonIdempotent` must be true or false, got "yes".'],
  [{ timeout: 0 }, '`timeout` must be a finite number of milliseconds of at least 1, got 0.'],
  [{ totalTimeout: -1 }, '`totalTimeout` must be a finite number of milliseconds of at least 1, got -1.'],
  [{ headers: { 'bad name': 'x' } }, '`headers` contains an invalid HTTP header name or value.'],
  [
    { headers: { 'Content-Length': '5' } },
    '`headers` must not contain content-length, because the runtime sets it.',
  ],
  [{ fetch: 'fetch' }, '`fetch` must be a function, got "fetch".'],
])('createClient refuses the options %j', (options, message) => {
  expect(() => createClient({ ...base, ...(options as ClientOptions) })).toThrow(
    expect.objectContaining({ name: 'ConfigurationError', code: 'INVALID_CONFIGURATION', message }),
  );
});

test.each([
  [{ timeOut: 5 }, 'Unknown createClient option `timeOut`. Did you mean `timeout`?'],
  [{ apikey: KEY }, 'Unknown createClient option `apikey`. Did you mean `apiKey`?'],
  [{ 'api\n\u202eKey': KEY }, 'Unknown createClient option `api\\u{a}\\u{202e}Key`. Did you mean `apiKey`?'],
  [{ 'größe ключ 鍵': 1 }, /^Unknown createClient option `größe ключ 鍵`\. Known: /],
  [{ prefixUrl: 'x' }, 'Unknown createClient option `prefixUrl`. Did you mean `baseUrl`?'],
  [{ defaultHeaders: {} }, 'Unknown createClient option `defaultHeaders`. Did you mean `headers`?'],
  [{ userAgent: 'crm' }, 'Unknown createClient option `userAgent`. Did you mean `appInfo`?'],
  [{ key: KEY }, 'Unknown createClient option `key`. Did you mean `apiKey`?'],
  [{ host: 'x' }, 'Unknown createClient option `host`. Did you mean `baseUrl`?'],
  [{ constructor: 1 }, /^Unknown createClient option `constructor`\. Known: /],
  [{ signal: undefined }, /^Unknown createClient option `signal`\. /],
  [{ retry: { retries: 2 } }, /^Unknown retry field `retries`\. Known: limit, /],
  [{ retry: { unsafe: true } }, /^Unknown retry field `unsafe`\. .*nonIdempotent/],
  [{ rateLimit: { requests: 5, perMS: 1 } }, 'Unknown rateLimit field `perMS`. Did you mean `perMs`?'],
  [{ hooks: { onRequests: () => {} } }, 'Unknown hooks field `onRequests`. Did you mean `onRequest`?'],
  [{ hooks: () => {} }, '`hooks` must be an object, got a function.'],
])('createClient refuses an unknown option and names known ones: %j', (options, message) => {
  const make = () => createClient({ ...base, ...(options as ClientOptions) });
  expect(make).toThrow(ConfigurationError);
  expect(make).toThrow(message);
});

test.each([[null], ['https://api.example.com'], [[]], [42]])(
  'createClient refuses options that are not an object: %j',
  (options) => {
    expect(() => createClient(options as object)).toThrow(
      expect.objectContaining({
        name: 'ConfigurationError',
        message: expect.stringMatching(
          /^The createClient options must be an object, got (null|an array|a string: pass { baseUrl, apiKey }|a number)\.$/,
        ),
      }),
    );
  },
);

test.each(['undefined', 'null'])(
  'createClient refuses the text %j, which comes from a missing variable',
  (text) => {
    const message = (what: string) =>
      `${what} is the text "${text}". Is the variable that it comes from set?`;
    expect(() => createClient({ ...base, apiKey: text })).toThrow(message('The API key'));
    expect(() => createClient({ ...base, baseUrl: text })).toThrow(message('The base URL'));
  },
);

test('a header that is undefined is left out, in all kinds of `headers`', async () => {
  const server = await startServer(success([]));
  const headers = { 'X-Tenant': undefined, 'x-team': 'b' };
  const { agents } = createClient({ ...base, baseUrl: server.url, headers });
  await agents.list();
  await agents.list({ headers: { 'x-team': undefined } });
  await createClient({ ...base, baseUrl: server.url, headers: async () => headers }).agents.list();
  expect(
    server.arrivals.map(({ headers: { 'x-tenant': tenant, 'x-team': team } }) => [tenant, team]),
  ).toEqual(Array(3).fill([undefined, 'b']));
});

test('a header that is null is refused by createClient and by calls', async () => {
  const headers = { 'x-tenant': null } as never;
  const message = '`headers.x-tenant` must be a string, got null.';
  expect(() => createClient({ ...base, headers })).toThrow(message);
  const { agents } = createClient({ ...base, fetch: () => expect.unreachable() });
  expect((await errorOf(agents.list({ headers }), ConfigurationError)).message).toBe(message);
});

test.each([new AbortController(), { aborted: false }, {}, 7])(
  'a call refuses a signal that is not an AbortSignal: %j',
  async (given) => {
    const { agents, leads } = createClient({ ...base, fetch: () => expect.unreachable() });
    const signal = given as never;
    const message = /^`signal` must be an AbortSignal, got (?:an AbortController|an object|7)\.$/;
    expect((await errorOf(agents.list({ signal }), ConfigurationError)).message).toMatch(message);
    expect((await errorOf(leads.ensure({ phone: '+1' }, { signal }), ConfigurationError)).message).toMatch(
      message,
    );
    expect(() => leads.list({}, { signal })).toThrow(message);
    expect(() => leads.ensureMany([], { signal })).toThrow(message);
  },
);

test('in a browser createClient throws without dangerouslyAllowBrowser', () => {
  vi.stubGlobal('window', {});
  vi.stubGlobal('document', {});
  expect(() => createClient(base)).toThrow(/dangerouslyAllowBrowser/);
  expect(() => createClient({ ...base, dangerouslyAllowBrowser: true })).not.toThrow();
});

test.each(['retries', 'maxRetries', 'maxNetworkRetries'])(
  'the option %s of other SDKs is refused with a hint on `retry`',
  async (name) => {
    const message = `option \`${name}\`. Did you mean \`retry: { limit }\`?`;
    expect(() => clientWith({ [name]: 2 } as object)).toThrow(message);
    await expect(clientWith().leads.get(ids.lead, { [name]: 2 } as object)).rejects.toThrow(message);
  },
);
