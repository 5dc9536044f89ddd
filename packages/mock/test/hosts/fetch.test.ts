import { createClient } from '@confab/client';
import { eventually, turns } from '@confab/internal/test-support';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Mock } from '../../src/index.ts';
import { createMock, MockError } from '../../src/index.ts';
import { start } from '../support/serving.ts';

const PHONE = '+5511987654321';

const setUp = (baseUrl = 'https://api.confab.test') => {
  const mock = createMock({ strict: true, baseUrl });
  return { mock, leads: `${mock.baseUrl}/api/v2/public/leads`, headers: { 'x-api-key': mock.apiKey } };
};

test('calls of the client reach mock.fetch without creating a Request', async () => {
  const confab = createClient(createMock().clientOptions);
  vi.stubGlobal('Request', undefined);
  onTestFinished(() => void vi.unstubAllGlobals());
  await confab.leads.create({ phone: PHONE });
  expect((await confab.leads.list()).data).toHaveLength(1);
});

test('mock.fetch accepts what fetch accepts: string, URL, Request, and init over a Request', async () => {
  const { mock, leads, headers } = setUp();
  expect((await mock.fetch(leads, { headers })).status).toBe(200);
  expect((await mock.fetch(new URL(leads), { headers: new Headers(headers) })).status).toBe(200);
  expect((await mock.fetch(leads, { headers: Object.entries(headers) })).status).toBe(200);
  expect((await mock.fetch(new Request(leads, { headers }))).status).toBe(200);
  const posted = new Request(leads, { method: 'POST', body: JSON.stringify({ phone: PHONE }) });
  expect((await mock.fetch(posted, { headers })).status).toBe(201);
});

type Call = RequestInit & { readonly duplex?: 'half' };

const TEXT = JSON.stringify({ phone: PHONE });

const streamed = (source: UnderlyingDefaultSource): Call => ({
  ...{ method: 'POST', duplex: 'half' },
  body: new ReadableStream(source),
});

const chunks = (...values: readonly unknown[]): Call =>
  streamed({
    start(controller) {
      for (const value of values) {
        controller.enqueue(value);
      }
      controller.close();
    },
  });

const failing = new Error('boom');

/** Functions, because a stream can be read only once. */
const CALLS: Readonly<Record<string, () => Call>> = {
  'no options': () => ({}),
  'a body of text': () => ({ method: 'POST', body: TEXT }),
  'a body of bytes': () => ({ method: 'POST', body: new TextEncoder().encode(TEXT) }),
  'a body of a blob': () => ({ method: 'POST', body: new Blob([TEXT]) }),
  'a body of a number': () => ({ method: 'POST', body: 5 as never }),
  'half of a character': () => ({ method: 'POST', body: '{"phone":"+12025550123","displayName":"\ud800"}' }),
  'bytes that are not UTF-8': () => ({
    method: 'POST',
    body: Buffer.from('{"displayName":"José"}', 'latin1'),
  }),
  'a stream of bytes': () => chunks(new TextEncoder().encode(TEXT)),
  'a stream of text': () => chunks(TEXT.slice(0, 5), TEXT.slice(5)),
  'a stream of numbers': () => chunks(5),
  'a stream that fails': () => streamed({ pull: (controller) => controller.error(failing) }),
  'a stream without duplex': () => ({ method: 'POST', body: new ReadableStream() }),
  'a body with GET': () => ({ body: TEXT }),
  'a method in lower case': () => ({ method: 'get' }),
  'a method of none': () => ({ method: '' }),
  'an invalid redirect': () => ({ redirect: 'never' as never }),
  'a redirect that is one': () => ({ redirect: 'manual' }),
  'an invalid cache': () => ({ cache: 'never' as never }),
  'an invalid mode': () => ({ mode: 'never' as never }),
  'the mode of a page': () => ({ mode: 'navigate' }),
  'an invalid priority': () => ({ priority: 'never' as never }),
  'an invalid signal': () => ({ signal: {} as never }),
  'invalid headers': () => ({ headers: { 'bad header': 'x' } }),
};

test.each(Object.entries(CALLS))('mock.fetch treats %s as fetch does', async (_, call) => {
  const { mock, server } = await start({}, { clock: 'system' });
  const outcomeOf = async (fetch: Mock['fetch'], base: string) => {
    mock.reset();
    const path = '/api/v2/public/leads?limit=1';
    const { headers, ...init } = call();
    try {
      const options = { ...init, headers: { 'x-api-key': mock.apiKey, ...headers } };
      const response = await fetch(`${base}${path}#fragment`, options);
      const { status, statusText, url, redirected } = response;
      expect(url).toBe(base + path);
      return { status, statusText, redirected, body: await response.json() };
    } catch (error) {
      const { name, cause } = error as Error;
      return { name, isPlatforms: error instanceof TypeError, hasFailed: cause === failing };
    }
  };
  const wanted = await outcomeOf(fetch, server.url);
  expect(await outcomeOf(mock.fetch, mock.baseUrl)).toEqual(wanted);
});

test('mock.fetch reads an endless body only until it is too large', async () => {
  const { mock, leads } = setUp();
  let [pulled, cancelled] = [0, false];
  const body = streamed({
    pull(controller) {
      pulled += 65_536;
      controller.enqueue(new Uint8Array(65_536));
    },
    cancel() {
      cancelled = true;
    },
  });
  expect([(await mock.fetch(leads, body)).status, cancelled]).toEqual([413, true]);
  expect(pulled).toBeLessThan(2 * 1024 * 1024);
});

test.each(['truncate', 'stall'] as const)(
  'after a %s, mock.fetch leaves no listener on the signal',
  async (network) => {
    const { mock, leads, headers } = setUp();
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    mock.faults.once('leads.list', { network });
    const response = await mock.fetch(leads, { headers, signal });
    const reader = response.body?.getReader();
    await reader?.read();
    const end = reader?.read();
    if (network === 'stall') {
      await turns(5);
      await reader?.cancel();
    } else {
      await expect(end).rejects.toThrow('terminated');
    }
    await eventually(() => expect(removed).toHaveBeenCalledTimes(added.mock.calls.length));
    expect(added).toHaveBeenCalled();
  },
);

test('mock.fetch refuses requests to a different origin', async () => {
  const { mock, leads, headers } = setUp();
  await expect(mock.fetch('/relative')).rejects.toThrow(TypeError);
  await expect(mock.fetch('https://elsewhere.test/')).rejects.toMatchObject({
    ...{ name: 'MockError', code: 'WRONG_ORIGIN' },
    message: expect.stringMatching(/api\.confab\.test.*elsewhere\.test.*Use mock\.baseUrl as the base URL/),
  });
  await expect(mock.fetch(leads.replace('//', '//user:password@'), { headers })).rejects.toThrow(TypeError);
});

test('a base URL may have a path, with or without a slash at its end', async () => {
  const { mock, leads, headers } = setUp('https://gateway.test/confab/');
  expect(mock.baseUrl).toBe('https://gateway.test/confab');
  expect((await mock.fetch(leads, { headers })).status).toBe(200);
  const outside = await mock.fetch('https://gateway.test/api/v2/public/agents', { headers });
  expect(outside.status).toBe(404);
  for (const baseUrl of ['ftp://x', 'https://x.test?', 'https://x.test/#', 'https://x.test/?a=1']) {
    expect(() => createMock({ baseUrl })).toThrow(MockError);
  }
});

test('mock.fetch with an aborted signal rejects with the reason of the signal, and logs nothing', async () => {
  const { mock, leads, headers } = setUp();
  const reason = new Error('never mind');
  const aborted = AbortSignal.abort(reason);
  await expect(mock.fetch(leads, { headers, signal: aborted })).rejects.toBe(reason);
  await expect(mock.fetch(new Request(leads, { headers, signal: aborted }))).rejects.toBe(reason);
  expect(mock.requests.length).toBe(0);
});

test('mock.fetch changes nothing global, and works with fake timers', async () => {
  const before = [globalThis.fetch, globalThis.Request, globalThis.Response, globalThis.setTimeout];
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { mock, leads, headers } = setUp();
  mock.faults.once('leads.list', { delayMs: 60_000 });
  expect((await mock.fetch(leads, { headers })).status).toBe(200);
  vi.useRealTimers();
  expect([globalThis.fetch, globalThis.Request, globalThis.Response, globalThis.setTimeout]).toEqual(before);
});
