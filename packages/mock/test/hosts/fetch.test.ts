import { expect, test, vi } from 'vitest';
import { createMock, MockError } from '../../src/index.ts';

const PHONE = '+5511987654321';

const setUp = (baseUrl = 'https://api.confab.test') => {
  const mock = createMock({ strict: true, baseUrl });
  return { mock, leads: `${mock.baseUrl}/api/v2/public/leads`, headers: { 'x-api-key': mock.apiKey } };
};

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
  const bodies: RequestInit[] = [
    { body: text },
    { body: new TextEncoder().encode(text) },
    { body: new Blob([text]) },
    { body: new Blob([text]).stream(), duplex: 'half' } as RequestInit,
  ];
  for (const body of bodies) {
    mock.reset();
    expect((await mock.fetch(leads, { method: 'POST', headers, ...body })).status).toBe(201);
  }
});

test('requests that the platform refuses are refused', async () => {
  const { mock, leads, headers } = setUp();
  await expect(mock.fetch('/relative')).rejects.toThrow(TypeError);
  await expect(mock.fetch(leads, { headers, body: 'x' })).rejects.toThrow(TypeError);
  await expect(mock.fetch(leads, { headers: { 'bad header': 'x' } })).rejects.toThrow(TypeError);
  await expect(mock.fetch(leads.replace('//', '//user:password@'), { headers })).rejects.toThrow(TypeError);
});

test('another origin is refused with a message that names both', async () => {
  const { mock, headers } = setUp();
  await expect(mock.fetch('https://elsewhere.test/api/v2/public/leads', { headers })).rejects.toThrow(
    /api\.confab\.test.*elsewhere\.test/,
  );
});

test('a base URL may have a path, with or without a slash at its end', async () => {
  const { mock, leads, headers } = setUp('https://gateway.test/confab/');
  expect(mock.baseUrl).toBe('https://gateway.test/confab');
  expect((await mock.fetch(leads, { headers })).status).toBe(200);
  const outside = await mock.fetch('https://gateway.test/api/v2/public/agents', { headers });
  expect(outside.status).toBe(404);
  for (const baseUrl of ['ftp://x', 'https://x.test?', 'https://x.test/#']) {
    expect(() => createMock({ baseUrl })).toThrow(MockError);
  }
  expect(() => createMock({ baseUrl: 'https://x.test/?a=1' })).toThrow(MockError);
});

test('an aborted request rejects with the reason of its signal, before and during the wait', async () => {
  const { mock, leads, headers } = setUp();
  const reason = new Error('never mind');
  const aborted = AbortSignal.abort(reason);
  await expect(mock.fetch(leads, { headers, signal: aborted })).rejects.toBe(reason);
  await expect(mock.fetch(new Request(leads, { headers, signal: aborted }))).rejects.toBe(reason);
  expect(mock.requests.length).toBe(0);

  const controller = new AbortController();
  mock.faults.once('leads.create', { delayMs: 1_000 });
  const creating = mock.fetch(leads, {
    method: 'POST',
    body: JSON.stringify({ phone: PHONE }),
    headers,
    signal: controller.signal,
  });
  controller.abort(reason);
  await expect(creating).rejects.toBe(reason);
  expect(mock.leads.count()).toBe(0);
});

test('a slow agent is abandoned when its caller gives up', async () => {
  const mock = createMock({ agents: { respond: () => new Promise<never>(() => {}) } });
  const controller = new AbortController();
  const invoking = mock.fetch(`${mock.baseUrl}/api/v2/public/agents/${mock.agents.find()[0]!.id}/invoke`, {
    method: 'POST',
    headers: { 'x-api-key': mock.apiKey },
    body: '{"userMessage":"Hi"}',
    signal: controller.signal,
  });
  controller.abort(new Error('too slow'));
  await expect(invoking).rejects.toThrow('too slow');
});

test('nothing global is touched, and fake timers do not stop it', async () => {
  const before = [globalThis.fetch, globalThis.Request, globalThis.Response, globalThis.setTimeout];
  vi.useFakeTimers();
  try {
    const { mock, leads, headers } = setUp();
    mock.faults.once('leads.list', { delayMs: 60_000 });
    expect((await mock.fetch(leads, { headers })).status).toBe(200);
  } finally {
    vi.useRealTimers();
  }
  expect([globalThis.fetch, globalThis.Request, globalThis.Response, globalThis.setTimeout]).toEqual(before);
});

test('every status can be injected, including those without a body', async () => {
  const { mock, leads, headers } = setUp();
  for (const status of [200, 204, 205, 304, 404, 599]) {
    mock.faults.once('leads.list', { status });
    expect((await mock.fetch(leads, { headers })).status).toBe(status);
  }
});

test('an invalid option value throws when the mock is created', () => {
  expect(() => createMock({ seed: 1.5 })).toThrow(MockError);
  expect(() => createMock({ rateLimit: -1 })).toThrow(MockError);
  expect(() => createMock({ latency: -1 })).toThrow(MockError);
  expect(() => createMock({ latency: { min: 5, max: 1 } })).toThrow(MockError);
  expect(() => createMock({ keys: [{ scopes: ['all'] }] })).toThrow(/"all"/);
  expect(() => createMock({ keys: [{ key: 'with space' }] })).toThrow(MockError);
  expect(() => createMock({ keys: [{ key: 'twice' }, { key: 'twice' }] })).toThrow(MockError);
});
