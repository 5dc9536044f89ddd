import { UsageError } from '@confab/internal/cli';
import { eventually } from '@confab/internal/test-support';
import { expect, test } from 'vitest';
import { createMock } from '../../src/index.ts';
import type { ServeOptions } from '../../src/server/index.ts';
import { serve } from '../../src/server/index.ts';
import { refusalOf, serving } from '../support/command.ts';
import { start } from '../support/serving.ts';

const LEADS = '/api/v2/public/leads';
const PAGE = 'http://localhost:5173';

const preflightOf = (url: string, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'OPTIONS',
    headers: { origin: PAGE, 'access-control-request-method': 'PATCH', ...headers },
  });

const corsHeadersOf = (response: Response) =>
  Object.fromEntries([...response.headers].filter(([name]) => /^access-control-|^vary$/.test(name)));

test('by default, no response has a header of CORS, and a preflight is an unknown operation', async () => {
  await using service = await start();
  const response = await fetch(service.server.url + LEADS, { headers: { origin: PAGE } });
  expect(corsHeadersOf(response)).toEqual({});
  const preflight = await preflightOf(service.server.url + LEADS);
  expect([preflight.status, corsHeadersOf(preflight)]).toEqual([404, {}]);
});

test('a preflight allows the methods of the API and the headers that it asks for', async () => {
  await using service = await start({ cors: [PAGE] });
  const response = await preflightOf(service.server.url + LEADS, {
    'access-control-request-headers': 'content-type,traceparent,x-api-key',
  });
  expect([response.status, await response.text()]).toEqual([204, '']);
  expect(corsHeadersOf(response)).toEqual({
    'access-control-allow-origin': PAGE,
    'access-control-allow-methods': 'HEAD, GET, POST, PATCH',
    'access-control-allow-headers': 'content-type,traceparent,x-api-key',
    'access-control-max-age': '600',
    vary: 'origin, access-control-request-headers',
  });
});

test('a preflight that asks for no header names those of the API', async () => {
  await using service = await start({ cors: true });
  const response = await preflightOf(service.server.url + LEADS);
  expect(corsHeadersOf(response)).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-allow-headers': 'authorization, content-type, x-api-key',
  });
});

test('a preflight for a private network is allowed to origins that may call', async () => {
  await using service = await start({ cors: [PAGE] });
  const asked = { 'access-control-request-private-network': 'true' };
  const response = await preflightOf(service.server.url + LEADS, asked);
  expect(response.headers.get('access-control-allow-private-network')).toBe('true');
  const other = await preflightOf(service.server.url + LEADS, { ...asked, origin: 'http://evil.example' });
  expect([other.status, other.headers.get('access-control-allow-private-network')]).toEqual([403, null]);
});

test('preflights need no key, count against no limit, meet no fault, and are not logged', async () => {
  await using service = await start({ cors: true }, { rateLimit: 1 });
  const { mock, server } = service;
  mock.faults.always('*', { status: 503 });
  for (let count = 0; count < 3; count += 1) {
    expect((await preflightOf(server.url + LEADS)).status).toBe(204);
  }
  expect(mock.requests.length).toBe(0);
});

test('pages of allowed origins can read every response, rate-limit headers and errors included', async () => {
  await using service = await start({ cors: [PAGE, 'https://app.example'] }, { rateLimit: 1 });
  const { mock, server } = service;
  const call = (headers: Record<string, string>) => fetch(server.url + LEADS, { headers });
  const readable = {
    'access-control-allow-origin': PAGE,
    'access-control-expose-headers': 'retry-after, x-ratelimit-limit, x-ratelimit-remaining',
    vary: 'origin',
  };
  for (const status of [200, 429]) {
    const response = await call({ origin: PAGE, 'x-api-key': mock.apiKey });
    expect([response.status, corsHeadersOf(response)]).toEqual([status, readable]);
  }
  const refused = await call({ origin: PAGE });
  expect([refused.status, corsHeadersOf(refused)]).toEqual([401, readable]);
  const other = await call({ origin: 'https://app.example' });
  expect(other.headers.get('access-control-allow-origin')).toBe('https://app.example');
  const document = await fetch(`${server.url}/openapi.json`, { headers: { origin: PAGE } });
  expect(corsHeadersOf(document)).toEqual(readable);
});

test('pages of other origins get no permission, and caches learn that it depends on the origin', async () => {
  await using service = await start({ cors: [PAGE] });
  const url = service.server.url + LEADS;
  for (const origin of ['http://evil.example', `${PAGE}.evil.example`, 'http://localhost:517', 'null']) {
    expect(corsHeadersOf(await fetch(url, { headers: { origin } }))).toEqual({ vary: 'origin' });
    const preflight = await preflightOf(url, { origin });
    expect([preflight.status, corsHeadersOf(preflight)]).toEqual([403, {}]);
    expect(await preflight.json()).toMatchObject({ error: expect.stringContaining(JSON.stringify(origin)) });
  }
  expect(corsHeadersOf(await fetch(url))).toEqual({ vary: 'origin' });
});

test('the control endpoints stay closed to pages of other origins, with and without a token', async () => {
  for (const adminToken of [undefined, 'hush']) {
    await using service = await start({ cors: true, adminToken });
    const url = `${service.server.url}/__mock/reset`;
    const preflight = await preflightOf(url, { origin: 'http://evil.example' });
    expect([preflight.ok, corsHeadersOf(preflight)]).toEqual([false, {}]);
    const response = await fetch(url, { method: 'POST', headers: { origin: 'http://evil.example' } });
    expect([response.ok, corsHeadersOf(response)]).toEqual([false, {}]);
  }
});

test('anything but origins is refused, with the origin that was probably meant', async () => {
  for (const [cors, says] of [
    ['http://localhost:5173', '`cors` must be true for every origin, or an array of origins, got "http'],
    [['http://localhost:5173/'], 'got "http://localhost:5173/". Did you mean http://localhost:5173?'],
    [['http://localhost:5173/app?x=1'], 'Did you mean http://localhost:5173?'],
    [['HTTP://Localhost'], 'Did you mean http://localhost?'],
    [['https://app.example:443'], 'Did you mean https://app.example?'],
    [['localhost:5173'], 'got "localhost:5173"'],
    [['*'], 'must be an origin, such as http://localhost:5173, got "*"'],
    [['https://*.example'], 'got "https://*.example"'],
    [['null'], 'got "null"'],
    [[5173], 'got a number'],
  ] as const) {
    const refused = serve(createMock(), { cors } as unknown as ServeOptions);
    await expect(refused, says).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining(says),
    });
  }
});

test('origins of apps are accepted', async () => {
  await using service = await start({ cors: ['capacitor://localhost'] });
  const response = await fetch(service.server.url + LEADS, { headers: { origin: 'capacitor://localhost' } });
  expect(response.headers.get('access-control-allow-origin')).toBe('capacitor://localhost');
});

test('--cors allows every origin, and --cors <origin> those that it lists', async () => {
  const originFor = async (...args: string[]) => {
    const { call } = await serving(...args);
    return (await call(LEADS, { headers: { origin: PAGE } })).headers.get('access-control-allow-origin');
  };
  expect(await originFor()).toBe(null);
  expect(await originFor('--cors')).toBe('*');
  expect(await originFor('--cors', '--data', 'minimal')).toBe('*');
  expect(await originFor('--cors', 'http://a.example', '--cors', PAGE)).toBe(PAGE);
  expect(await originFor('--cors', 'http://a.example')).toBe(null);
  expect(await originFor('--cors', '--cors=http://a.example')).toBe('*');
  expect(await refusalOf('--cors', `${PAGE}/`)).toEqual(
    new UsageError(
      `--cors must be an origin, such as http://localhost:5173, got "${PAGE}/". Did you mean ${PAGE}?`,
    ),
  );
});

test('preflights have a line of their own in the log', async () => {
  const { url, lines } = await serving('--cors', '--clock', 'virtual');
  await preflightOf(url + LEADS);
  await eventually(() =>
    expect(lines()).toEqual([`2026-01-01T00:00:00.000Z 204 OPTIONS ${LEADS} (preflight)\n`]),
  );
});

test('refused preflights, OPTIONS and requests to no world have lines of their own too', async () => {
  const { url, lines } = await serving('--cors', PAGE, '--clock', 'virtual');
  await preflightOf(url + LEADS, { origin: 'http://evil.example' });
  await preflightOf(`${url}/__mock/reset`);
  await fetch(`${url}${LEADS}`, { method: 'OPTIONS' });
  await fetch(`${url}/w/unknown/openapi.json`);
  await eventually(() => expect(lines()).toHaveLength(4));
  expect(lines().map((line) => line.trim().replace(/^\S+ /, ''))).toEqual([
    `403 OPTIONS ${LEADS} (preflight)`,
    '403 OPTIONS /__mock/reset (control)',
    `404 OPTIONS ${LEADS} 0 ms`,
    '404 GET /w/unknown/openapi.json (refused)',
  ]);
});
