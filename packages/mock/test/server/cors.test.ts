import { expect, test } from 'vitest';
import { startInProcess } from '../support/command.ts';
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

test('by default, no response has CORS headers, and a preflight is an unknown operation', async () => {
  const service = await start();
  const response = await fetch(service.server.url + LEADS, { headers: { origin: PAGE } });
  expect(corsHeadersOf(response)).toEqual({});
  const preflight = await preflightOf(service.server.url + LEADS);
  expect([preflight.status, corsHeadersOf(preflight)]).toEqual([404, {}]);
});

test('a preflight allows the methods of the API, the requested headers, and private networks', async () => {
  const service = await start({ cors: [PAGE] });
  const allowed = {
    'access-control-allow-origin': PAGE,
    'access-control-allow-credentials': 'true',
    'access-control-allow-methods': 'HEAD, GET, POST, PATCH',
    'access-control-max-age': '600',
    vary: 'origin, access-control-request-headers',
  };
  for (const [asked, answered] of [
    [{}, { 'access-control-allow-headers': 'authorization, content-type, x-api-key' }],
    [
      { 'access-control-request-headers': 'content-type,traceparent,x-api-key' },
      { 'access-control-allow-headers': 'content-type,traceparent,x-api-key' },
    ],
    [
      { 'access-control-request-headers': 'x', 'access-control-request-private-network': 'true' },
      { 'access-control-allow-headers': 'x', 'access-control-allow-private-network': 'true' },
    ],
  ]) {
    const response = await preflightOf(service.server.url + LEADS, asked);
    expect([response.status, await response.text()]).toEqual([204, '']);
    expect(corsHeadersOf(response)).toEqual({ ...allowed, ...answered });
  }
});

test('a preflight needs no key, does not count against a limit, has no fault, and is not logged', async () => {
  const { mock, server } = await start({ cors: true }, { rateLimit: 1 });
  mock.faults.always('*', { status: 503 });
  for (let count = 0; count < 3; count += 1) {
    expect((await preflightOf(server.url + LEADS)).status).toBe(204);
  }
  expect(mock.requests.length).toBe(0);
});

test('pages of allowed origins can read every response, rate-limit headers and errors included', async () => {
  const app = 'capacitor://localhost';
  const { mock, server } = await start({ cors: [PAGE, app] }, { rateLimit: 1 });
  const readable = {
    'access-control-allow-origin': PAGE,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': 'retry-after, x-ratelimit-limit, x-ratelimit-remaining',
    vary: 'origin',
  };
  const [origin, key] = [PAGE, mock.apiKey];
  for (const [path, headers, status] of [
    [LEADS, { origin, 'x-api-key': key }, 200],
    [LEADS, { origin, 'x-api-key': key }, 429],
    [LEADS, { origin }, 401],
    ['/openapi.json', { origin }, 200],
    [`/w/0123456789abcdef${LEADS}`, { origin }, 404],
  ] as const) {
    const response = await fetch(server.url + path, { headers });
    expect([response.status, corsHeadersOf(response)]).toEqual([status, readable]);
  }
  const other = await fetch(server.url + LEADS, { headers: { origin: app } });
  expect(other.headers.get('access-control-allow-origin')).toBe(app);
});

test('pages of other origins get no permission, and caches learn that responses vary by origin', async () => {
  const service = await start({ cors: [PAGE] });
  const url = service.server.url + LEADS;
  for (const origin of ['http://evil.example', `${PAGE}.evil.example`, 'http://localhost:517', 'null']) {
    expect(corsHeadersOf(await fetch(url, { headers: { origin } }))).toEqual({ vary: 'origin' });
    const preflight = await preflightOf(url, { origin, 'access-control-request-private-network': 'true' });
    expect([preflight.status, corsHeadersOf(preflight)]).toEqual([403, {}]);
    expect(await preflight.json()).toMatchObject({ error: expect.stringContaining(JSON.stringify(origin)) });
  }
  expect(corsHeadersOf(await fetch(url))).toEqual({ vary: 'origin' });
});

test('--cors allows every origin, and --cors <origin> only the listed origins', async () => {
  for (const [args, origin] of [
    [[], null],
    [['--cors'], '*'],
    [['--cors', 'http://a.example', '--cors', PAGE], PAGE],
    [['--cors', '--cors=http://a.example'], '*'],
  ] as const) {
    const { call } = await startInProcess(...args);
    const { headers } = await call(LEADS, { headers: { origin: PAGE } });
    expect([args, headers.get('access-control-allow-origin')]).toEqual([args, origin]);
    // The header is sent only for a listed origin.
    expect(headers.get('access-control-allow-credentials')).toBe(origin === PAGE ? 'true' : null);
  }
});
