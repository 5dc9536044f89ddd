import { afterEach, expect, test, vi } from 'vitest';
import { MiddlewareFailure } from '../src/errors/middleware-failure.ts';
import type { ClientOptions, DriftEvent } from '../src/index.ts';
import {
  ApiError,
  ConfigurationError,
  ConnectionError,
  createClient,
  InvalidResponseError,
  RateLimitError,
} from '../src/index.ts';
import { caught } from './support/caught.ts';
import { ids, KEY, lead } from './support/data.ts';

const connect = (fetch: () => Response | Promise<Response>, options: ClientOptions = {}) =>
  createClient({
    baseUrl: 'https://api.example.com',
    apiKey: KEY,
    retry: false,
    fetch: async () => fetch(),
    ...options,
  });

const html = { headers: { 'content-type': 'text/html' } };
const text = { headers: { 'content-type': 'text/plain; charset=utf-8' } };

/** The error of a read that gets this response. */
const errorOf = async (body: string, init: ResponseInit): Promise<ApiError> =>
  caught(connect(() => new Response(body, init)).leads.get(ids.lead), ApiError);

afterEach(() => vi.unstubAllGlobals());

test.each<[what: string, body: string, init: ResponseInit, described: string]>([
  ['blanks', ' \n ', { status: 502, ...text }, 'an empty body'],
  ['a page', '<html><title lang="en"> Gate </title>', { status: 502, ...html }, 'a page titled "Gate"'],
  [
    'a page without a title',
    '<html><title> </title>',
    { status: 502, ...html },
    '22 characters of text/html',
  ],
  ['a text', '\n oops \n', { status: 400, ...text }, 'a body that starts with "oops  "'],
  [
    'a text without a type',
    'oops',
    { status: 400, headers: { 'content-type': '' } },
    'a body that starts with "oops"',
  ],
  [
    'JSON with a page in it',
    '{"page":"<title>x</title>"}',
    { status: 502, ...html },
    '27 characters of JSON',
  ],
  ['JSON that is declared as text', '{"name":"Ana"}', { status: 502, ...text }, '14 characters of JSON'],
])('the error of a response with %s describes it', async (_, body, init, described) => {
  const { message } = await errorOf(body, init);
  expect(message).toBe(`leads.get failed with ${init.status}: ${described}`);
});

test('a title is looked for only at the beginning of a page', async () => {
  const { message } = await errorOf(`${' '.repeat(100_000)}<title>late</title>`, { status: 502, ...html });
  expect(message).toBe('leads.get failed with 502: 100019 characters of text/html');
});

test('a content type of any length is cut', async () => {
  const { message } = await errorOf('?', { status: 502, headers: { 'content-type': 'x'.repeat(5_000) } });
  expect(message.length).toBeLessThan(500);
});

test.each([
  ['an error that is not a text', { success: false, error: 5, code: 'X' }],
  ['a code that is not a text', { success: false, error: 'no', code: 5 }],
  ['a success', { success: true, error: 'no', code: 'X' }],
])('a body with %s is not an envelope of the API', async (_, body) => {
  const error = await errorOf(JSON.stringify(body), { status: 418 });
  expect(error).toMatchObject({ code: 'HTTP_418', detail: undefined });
});

test.each([
  [{ 'retry-after': '90' }, ' (retry after 90 seconds)'],
  [{}, ''],
] as const)('a 429 with the headers %j says how long to wait', async (headers, wait) => {
  const body = JSON.stringify({ success: false, error: 'Slow down', code: 'LIMITED' });
  const error = await caught(
    connect(() => new Response(body, { status: 429, headers })).leads.get(ids.lead),
    RateLimitError,
  );
  expect(error.message).toBe(`leads.get failed with 429 LIMITED: Slow down${wait}`);
});

test('a 304 is not a success', async () => {
  const error = await caught(
    connect(() => new Response(null, { status: 304 })).leads.get(ids.lead),
    InvalidResponseError,
  );
  expect(error.status).toBe(304);
  expect(error.message).toBe('leads.get returned 304, a status that the API does not use.');
});

test('a status of 0, which an opaque response has, is not a success', async () => {
  const error = await caught(connect(() => Response.error()).leads.get(ids.lead), InvalidResponseError);
  expect(error.message).toBe('leads.get returned 0, a status that the API does not use.');
});

test('a success that is not JSON is described without its text, which may be personal', async () => {
  const { message } = await caught(
    connect(() => new Response('Ana Silva', text)).leads.get(ids.lead),
    InvalidResponseError,
  );
  expect(message).toContain('9 characters of text/plain');
  expect(message).not.toContain('Ana');
});

test.each([
  [{ location: 'https://login.example.com/?token=1' }, ' to https://login.example.com/'],
  [{}, ''],
] as const)('a redirect with the headers %j is refused', async (headers, target) => {
  const error = await caught(
    connect(() => new Response(null, { status: 302, headers })).leads.get(ids.lead),
    InvalidResponseError,
  );
  expect(error.message).toBe(
    `leads.get was redirected${target}. Redirects are refused because a followed one would carry the API key. Set \`baseUrl\` to the final URL.`,
  );
});

test('a lost connection is described with its reason, and with a hint in a browser', async () => {
  const failed = () => Promise.reject(new TypeError('Failed to fetch'));
  const start =
    'leads.get could not reach https://api.example.com, or lost the connection before a response (attempt 1)';
  const plain = await caught(connect(failed).leads.get(ids.lead), ConnectionError);
  expect(plain.message).toBe(`${start}: Failed to fetch.`);
  vi.stubGlobal('window', {});
  vi.stubGlobal('document', {});
  const hint = ' In a browser this may be CORS: the API must allow the origin of the page.';
  const browser = { dangerouslyAllowBrowser: true };
  const hinted = await caught(connect(failed, browser).leads.get(ids.lead), ConnectionError);
  expect(hinted.message).toBe(`${start}: Failed to fetch.${hint}`);
  const nothing = await caught(
    connect(() => Promise.reject('reset'), browser).leads.get(ids.lead),
    ConnectionError,
  );
  expect(nothing.message).toBe(`${start}.`);
  const other = () => Promise.reject(new Error('reset'));
  const unhinted = await caught(connect(other, browser).leads.get(ids.lead), ConnectionError);
  expect(unhinted.message).toBe(`${start}: reset.`);
});

test('a request that did not leave the process leaves no doubt about what the service did', async () => {
  const create = (message: string) =>
    caught(
      connect(() => Promise.reject(new Error(message))).leads.create({ phone: '+442079460958' }),
      ConnectionError,
    );
  const start =
    'leads.create could not reach https://api.example.com, or lost the connection before a response (attempt 1)';
  expect((await create('bad port')).message).toBe(`${start}: bad port.`);
  expect((await create('reset')).message).toBe(
    `${start}: reset. The service may have acted: check before you send it again, or set \`retry.nonIdempotent\`.`,
  );
});

test('a failure of middleware says what became of the request, and keeps its cause', async () => {
  const cause = new Error('no token');
  const refuse = () => {
    const message = 'was not sent, because a hook failed';
    return Promise.reject(
      new MiddlewareFailure({ kind: 'middleware', message, refused: true, status: undefined }, cause),
    );
  };
  const refused = await caught(connect(refuse).leads.create({ phone: '+442079460958' }), ConfigurationError);
  expect(refused.message).toBe('leads.create was not sent, because a hook failed: no token.');
  const fail = () => {
    const message = 'returned 200, but a hook failed';
    return Promise.reject(
      new MiddlewareFailure({ kind: 'middleware', message, refused: false, status: 200 }, undefined),
    );
  };
  const failed = await caught(connect(fail).leads.create({ phone: '+442079460958' }), InvalidResponseError);
  expect(failed.status).toBe(200);
  expect(failed.message).toBe(
    'leads.create returned 200, but a hook failed. The service may have acted: check before you send it again.',
  );
});

test('with validation off, nothing about a response is reported', async () => {
  const drifts: DriftEvent[] = [];
  const confab = connect(
    () => Response.json({ success: true, data: [lead], meta: { total: 0, limit: 10, offset: 5 } }),
    { validation: 'off', hooks: { onDrift: (drift) => drifts.push(drift) } },
  );
  expect((await confab.leads.list({ limit: 10 })).data).toEqual([lead]);
  expect(drifts).toEqual([]);
});
