import { createClient } from '@confab/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createMock, MockError } from '../../src/index.ts';

const PHONE = '+5511987654321';

const setUp = (baseUrl = 'https://api.confab.test') => {
  const mock = createMock({ strict: true, baseUrl });
  return { mock, leads: `${mock.baseUrl}/api/v2/public/leads`, headers: { 'x-api-key': mock.apiKey } };
};

test('calls of the client reach the mock without the cost of a Request', async () => {
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

test('a body can be a string, bytes, a blob or a stream', async () => {
  const { mock, leads, headers } = setUp();
  const text = JSON.stringify({ phone: PHONE });
  const blob = new Blob([text]);
  for (const body of [text, new TextEncoder().encode(text), blob, blob.stream()]) {
    mock.reset();
    const init = { method: 'POST', headers, body, duplex: 'half' };
    expect((await mock.fetch(leads, init as RequestInit)).status).toBe(201);
  }
});

test('requests that the platform refuses are refused, and those to another origin', async () => {
  const { mock, leads, headers } = setUp();
  await expect(mock.fetch('/relative')).rejects.toThrow(TypeError);
  await expect(mock.fetch('https://elsewhere.test/')).rejects.toMatchObject({
    ...{ name: 'MockError', code: 'WRONG_ORIGIN' },
    message: expect.stringMatching(/api\.confab\.test.*elsewhere\.test.*Use mock\.baseUrl as the base URL/),
  });
  await expect(mock.fetch(leads, { headers, body: 'x' })).rejects.toThrow(TypeError);
  await expect(mock.fetch(leads, { headers: { 'bad header': 'x' } })).rejects.toThrow(TypeError);
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

test('a request that is aborted from the start rejects with the reason of its signal, and is not logged', async () => {
  const { mock, leads, headers } = setUp();
  const reason = new Error('never mind');
  const aborted = AbortSignal.abort(reason);
  await expect(mock.fetch(leads, { headers, signal: aborted })).rejects.toBe(reason);
  await expect(mock.fetch(new Request(leads, { headers, signal: aborted }))).rejects.toBe(reason);
  expect(mock.requests.length).toBe(0);
});

test('nothing global is touched, and fake timers do not stop it', async () => {
  const before = [globalThis.fetch, globalThis.Request, globalThis.Response, globalThis.setTimeout];
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { mock, leads, headers } = setUp();
  mock.faults.once('leads.list', { delayMs: 60_000 });
  expect((await mock.fetch(leads, { headers })).status).toBe(200);
  vi.useRealTimers();
  expect([globalThis.fetch, globalThis.Request, globalThis.Response, globalThis.setTimeout]).toEqual(before);
});
