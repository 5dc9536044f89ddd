import { expect, test } from 'vitest';
import type { Confab } from '../src/index.ts';
import {
  AuthenticationError,
  BadRequestError,
  ConfabError,
  ConnectionError,
  ServerError,
} from '../src/index.ts';
import { instrument } from '../src/opentelemetry/index.ts';
import { redisRateLimit } from '../src/redis/index.ts';
import { clientAt, clientWith } from './support/client.ts';
import { ids, KEY, lead } from './support/data.ts';
import { errorOf } from './support/error-of.ts';
import type { Responder } from './support/server.ts';
import { drop, failure, json, startServer, success } from './support/server.ts';
import { shown } from './support/shown.ts';

/** The text of a server that quotes the key. */
const echo = `Key ${KEY} is not welcome`;

test.each<[string, Responder]>([
  ['a success', success(lead)],
  ['an error that quotes the key', failure(401, 'API_KEY_INVALID', echo, { 'x-your-key': KEY })],
  ['an error whose code is the key', failure(400, KEY, echo)],
  ['a header whose name is the key', failure(400, 'NO', 'No', { [KEY]: 'yes' })],
  ['a 403 that quotes the key', failure(403, 'SCOPE_REQUIRED', `${echo}: read:leads`)],
  ['a 429 that quotes the key', failure(429, 'RATE_LIMIT_EXCEEDED', echo, { 'retry-after': '60' })],
  ['an error page that quotes the key', (_, response) => void response.writeHead(500).end(echo)],
  ['a 200 that is not JSON and quotes the key', (_, response) => void response.writeHead(200).end(echo)],
  ['a 200 that is not an envelope and quotes the key', json(200, { key: KEY })],
  ['a success that breaks the contract with the key', success({ ...lead, id: KEY })],
  [
    'a redirect to an address with the key',
    (_, response) => void response.writeHead(302, { location: `/${KEY}?key=${KEY}` }).end(),
  ],
  ['a dropped connection', drop],
])('the API key appears in no error, event or log: %s', async (_, responder) => {
  for (const auth of ['x-api-key', 'bearer'] as const) {
    const server = await startServer(responder);
    const seen: unknown[] = [];
    const see = (...facts: unknown[]) => void seen.push(facts);
    const confab = clientAt(server.url, {
      auth,
      validation: 'strict',
      retry: { limit: 1, baseDelay: 0 },
      totalTimeout: 1_000,
      hooks: { onRequest: see, onResponse: see, onRetry: see, onRateLimit: see, onDrift: see },
      logger: { debug: see, info: see, warn: see },
    });
    const call = confab.leads.get(ids.lead);
    const outcome = await call.catch((error: unknown) => error);
    expect(server.arrivals.length).toBeGreaterThan(0);
    for (const value of [confab, confab.leads, call, outcome, seen]) {
      expect(shown(value).toLowerCase()).not.toContain(KEY.toLowerCase());
    }
  }
});

test('the API key appears in no error of a fetch that quotes its request', async () => {
  const confab = clientWith({
    retry: false,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const cause = new Error(`header x-api-key: ${request.headers.get('x-api-key')}`);
      throw Object.assign(new TypeError(`fetch failed for ${KEY}`, { cause }), { request });
    },
  });
  const error = await confab.leads.get(ids.lead).catch((reason: unknown) => reason);
  expect(shown(error)).not.toContain(KEY);
  expect(shown(error)).toContain('[redacted]');
});

/** Makes a call whose response waits, and then others, each with a new key. Then responds to the first, and returns its error. */
const failAfterRotation = async (keys: readonly string[], response: Response): Promise<unknown> => {
  let answer = (_: Response) => {};
  const held = new Promise<Response>((resolve) => {
    answer = resolve;
  });
  let sent = 0;
  let asked = 0;
  const confab = clientWith({
    apiKey: () => keys[asked++]!,
    retry: false,
    fetch: async () => (sent++ === 0 ? held : Response.json({ success: true, data: lead })),
  });
  const slow = confab.leads.get(ids.lead).catch((error: unknown) => error);
  for (const _ of keys.slice(1)) {
    await new Promise(setImmediate);
    await confab.leads.get(ids.lead);
  }
  answer(response);
  return slow;
};

test('a key that was replaced while its request was in flight appears nowhere', async () => {
  const keys = ['first-key-12345', 'second-key-12345', 'first-key-12345', 'first-key-123456789'];
  const text = keys.join(' and ');
  const body = { success: false, error: text, code: 'NO' };
  const response = Response.json(body, { status: 400, headers: { 'x-keys': text } });
  const error = await failAfterRotation(keys, response);
  expect(shown(error)).not.toMatch(/-key-|12345/);
  expect(shown(error)).toContain('[redacted] and [redacted]');
});

const offline = () => Promise.reject(new TypeError('fetch failed'));

test('a key that is part of the base URL is redacted, and calls fail with the same errors', async () => {
  for (const [baseUrl, origin] of [
    [`https://${KEY.replaceAll('_', '-')}.example.com`, 'https://[redacted].example.com'],
    [`https://example.com/${KEY.replaceAll('_', '-')}`, 'https://example.com'],
  ] as const) {
    const seen: unknown[] = [];
    const confab = clientAt(baseUrl, {
      apiKey: KEY.replaceAll('_', '-'),
      retry: false,
      hooks: { onRequest: (facts) => void seen.push(facts) },
      fetch: offline,
    });
    const error = await errorOf(confab.leads.get(ids.lead), ConnectionError);
    expect(error.message).toContain(`got no response from ${origin} `);
    expect(shown(seen)).not.toMatch(/s3cr3t/i);
    expect(shown(error)).not.toMatch(/s3cr3t/i);
  }
});

test('a short key that is part of the base URL leaves the messages readable', async () => {
  const confab = clientWith({ apiKey: 'api', retry: false, fetch: offline });
  const error = await errorOf(confab.leads.get(ids.lead), ConnectionError);
  expect(error.message).toContain('got no response from https://api.example.com');
});

test('an old key is redacted in the response to its own request', async () => {
  const keys = Array.from({ length: 41 }, (_, at) => `rotated-key-${at + 1}!`);
  const response = new Response('rotated-key-1! is no key', { headers: { 'x-key': 'rotated-key-1!' } });
  const error = await failAfterRotation(keys, response);
  expect(shown(error)).toContain('[redacted] is no key');
  expect(shown(error)).not.toContain('rotated-key-1!');
});

test('a server’s text cannot forge a log line', async () => {
  const forged = '\r\n2026-01-01 INFO confab: all is well\u001b[1A\u2028\u202e\u009b2K';
  const server = await startServer(failure(400, `NO${forged}`, `No${forged}`));
  const error = await errorOf(clientAt(server.url).leads.get(ids.lead), BadRequestError);
  for (const text of [error.code, error.detail, error.message]) {
    expect(text).not.toMatch(/[\p{Cc}\p{Zl}\p{Bidi_Control}]/u);
    expect(text).toMatch(/(NO|No) 2026-01-01 INFO/);
  }
});

test.each<[string, (confab: Confab, names: object, key: string) => unknown]>([
  ['the name of a field', ({ leads }, names) => leads.create({ phone: '+5511987654321', ...names })],
  ['the name of a parameter', ({ leads }, names) => leads.get(ids.lead, { extraQuery: names as never })],
  [
    'the name of a parameter of a request',
    (confab, names) => confab.request({ method: 'GET', path: '/a', query: names as never }),
  ],
  ['the name of an option', ({ leads }, names) => leads.get(ids.lead, names)],
  ['the name of an option of an import', ({ leads }, names) => leads.ensureMany([], names)],
  ['the name of a field of a request', (confab, names) => confab.request({ path: '/a', ...names } as never)],
  ['the name of a header of a call', ({ leads }, names) => leads.get(ids.lead, { headers: names as never })],
  [
    'the name of a header that a function returns',
    (_, names, apiKey) => clientWith({ apiKey, headers: () => names as never }).agents.list(),
  ],
  ['the name of an option of createClient', (_, names, apiKey) => clientWith({ apiKey, ...names })],
  ['the name of an option of instrument', (_, names, apiKey) => instrument({ apiKey }, names)],
  ['an id', ({ leads }, _, key) => leads.get(key)],
  ['the value of an option', (_, __, apiKey) => clientWith({ apiKey, auth: apiKey as never })],
  ['the host of a URL without TLS', (_, __, apiKey) => clientAt(`http://${apiKey}.example.com`, { apiKey })],
])('the message about the API key as %s does not contain it', async (_, act) => {
  // The first of the two keys looks like a word.
  for (const key of ['open-sesame', KEY]) {
    const confab = clientWith({ apiKey: key, fetch: () => expect.unreachable() });
    const error = await errorOf((async () => act(confab, { [key]: null }, key))(), ConfabError);
    expect(error.message).toMatch(/\[redacted\]|a string of 30 characters/);
    expect(shown(error)).not.toContain(key.slice(0, 11));
  }
});

test('a message does not contain an unknown name that may be a secret, even if no key is known', () => {
  const options = { [KEY]: 1 } as never;
  const message = expect.stringContaining('Unknown redisRateLimit option `[redacted]`. Known: client');
  expect(() => redisRateLimit(options)).toThrow(expect.objectContaining({ message }));
});

test.each([
  ['a page whose title', (key: string) => `<title>No ${key}`],
  ['a page whose title, cut short,', (key: string) => `<title>${'x'.repeat(55)}${key}</title>`],
  ['a page whose title, far below,', (key: string) => `${'x'.repeat(3_960)}<title>No ${key}</title>`],
  ['a text that', (key: string) => `  No ${key}`],
])('the error of %s contains a key with punctuation shows no part of the key', async (_, write) => {
  const apiKey = 'confab_live_s3cr3t<S3cr3t?S3cr3t#"S3c>r3t&';
  const fetch = async () => new Response(write(apiKey), { status: 502, headers: { 'content-type': '' } });
  const error = await errorOf(clientWith({ apiKey, fetch, retry: false }).agents.list(), ServerError);
  expect(shown(error)).not.toMatch(/confab_live|s3cr3t/i);
});

test('a key is refused when it is longer than 4096 characters, and redacted when it is not', async () => {
  const longest = '!$^(*.|'.repeat(600).slice(0, 4_096);
  for (const apiKey of [`${longest}!`, 'k'.repeat(64_000)]) {
    const message = `The API key has ${apiKey.length} characters. At most 4096 are accepted.`;
    expect(() => clientWith({ apiKey })).toThrow(
      expect.objectContaining({ name: 'ConfigurationError', message }),
    );
  }
  const fetch = async () => Response.json({ success: false, code: 'NO', error: longest }, { status: 401 });
  const error = await errorOf(clientWith({ apiKey: longest, fetch }).agents.list(), AuthenticationError);
  expect(error.detail).toBe('[redacted]');
});

test('the check of these tests finds a key at any depth', () => {
  const hidden = Object.defineProperty({}, 'secret', { value: { deep: [KEY] }, enumerable: false });
  expect(shown(hidden)).toContain(KEY);
  expect(shown(new Error('outer', { cause: new Error(KEY) }))).toContain(KEY);
});

/** Long texts in a response of 400, and where the client cuts them. */
const cutTexts = [
  {
    what: 'a detail',
    at: 1_000,
    respond: (error: string) => JSON.stringify({ success: false, error, code: 'NO' }),
  },
  {
    what: 'a code',
    at: 100,
    respond: (code: string) => JSON.stringify({ success: false, error: 'No', code }),
  },
  { what: 'a body', at: 10_000, respond: (text: string) => text },
  { what: 'the beginning of a body in a message', at: 60, respond: (text: string) => text },
  { what: 'a body larger than allowed', at: 4_000, respond: (text: string) => text, maxResponseBytes: 2_000 },
];

test.each(cutTexts)(
  'no part of a key is left where $what is cut off',
  async ({ at, respond, maxResponseBytes }) => {
    for (let before = 1; before < KEY.length; before += 5) {
      const text = `${'x'.repeat(Math.max(0, at - before))}${KEY}${'x'.repeat(20_000)}`;
      const confab = clientWith({
        retry: false,
        maxResponseBytes,
        fetch: async () =>
          new Response(respond(text), { status: 400, headers: { 'content-type': 'text/plain' } }),
      });
      const error = await errorOf(confab.leads.get(ids.lead), BadRequestError);
      expect(`${error.body} ${error.detail} ${error.code} ${error.message}`).not.toContain(KEY.slice(0, 4));
    }
  },
);
