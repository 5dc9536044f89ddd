import { eventually, listen } from '@confab/internal/test-support';
import { expect, test } from 'vitest';
import { startInProcess } from '../support/command.ts';

const LEADS = '/api/v2/public/leads';
const AGENTS = '/api/v2/public/agents';
const PAGE = 'http://localhost:5173';

test('--key, --scopes, --rate-limit, --data and --fault apply to the mock, also after a reset', async () => {
  const { key, call } = await startInProcess(
    ...['--key', 'my_key', '--scopes', 'read:leads,read:agents', '--rate-limit', '3/5000ms'],
    ...['--data', 'minimal', '--fault', 'agents.list:418'],
  );
  expect(key).toBe('my_key');
  expect((await call(LEADS)).body.meta.total).toBe(0);
  expect((await call('/api/v2/public/conversations')).status).toBe(403);
  expect((await call(AGENTS)).status).toBe(418);
  expect((await call(LEADS)).status).toBe(200);
  const limited = await call(LEADS);
  expect([limited.status, limited.headers.get('x-ratelimit-limit')]).toEqual([429, '3']);
  expect(Number(limited.headers.get('retry-after'))).toBeLessThanOrEqual(5);
  await call('/__mock/reset', { method: 'POST' });
  expect((await call(AGENTS)).status).toBe(418);
});

test('each request prints a line with its time on the clock, status, target and fault', async () => {
  const flags = ['--clock', 'virtual', '--latency', '250', '--fault', 'agents.list:503', '--cors', PAGE];
  const { url, call, lines } = await startInProcess(...flags);
  await call(`${LEADS}?limit=1&limit=2&search=caf%C3%A9`);
  await call(AGENTS);
  await call('/__mock/requests?limit=1');
  await call('/__mock/nothing');
  await call('/openapi.json');
  for (const origin of [PAGE, 'http://evil.example']) {
    const headers = { origin, 'access-control-request-method': 'PATCH' };
    await fetch(url + LEADS, { method: 'OPTIONS', headers });
    await fetch(`${url}/__mock/reset`, { method: 'OPTIONS', headers });
  }
  await call('/w/unknown/openapi.json');
  await eventually(() =>
    expect(lines()).toEqual([
      `2026-01-01T00:00:00.000Z 400 GET ${LEADS}?limit=1&limit=2&search=caf%C3%A9 250 ms\n`,
      `2026-01-01T00:00:00.250Z 503 GET ${AGENTS} 250 ms (fault {"status":503})\n`,
      '2026-01-01T00:00:00.500Z 200 GET /__mock/requests?limit=1 (control)\n',
      '2026-01-01T00:00:00.500Z 404 GET /__mock/nothing (control)\n',
      '2026-01-01T00:00:00.500Z 200 GET /openapi.json (description)\n',
      `2026-01-01T00:00:00.500Z 204 OPTIONS ${LEADS} (preflight)\n`,
      '2026-01-01T00:00:00.500Z 403 OPTIONS /__mock/reset (control)\n',
      `2026-01-01T00:00:00.500Z 403 OPTIONS ${LEADS} (preflight)\n`,
      '2026-01-01T00:00:00.500Z 403 OPTIONS /__mock/reset (control)\n',
      '2026-01-01T00:00:00.500Z 404 GET /w/unknown/openapi.json (refused)\n',
    ]),
  );
});

test('each attempt of a delivery prints a line with its URL, its status or failure, and its event', async () => {
  const statuses = [503, 0, 204];
  const url = await listen((_, response) => {
    const status = statuses.shift();
    return status ? response.writeHead(status).end() : response.destroy();
  });
  const flags = ['--webhook', `${url}/hooks?token=hidden`, '--webhook-secret', 'secret'];
  const { call, lines } = await startInProcess('--clock', 'virtual', ...flags);
  const post = (path: string, body?: string) =>
    call(`/__mock/${path}`, { method: 'POST', body: body ?? null });
  const deliveries = () => lines().filter((line) => line.includes('(delivery'));
  await post('webhooks/emit', '{"event":"order.\\u001b[31mpaid\\nGET /"}');
  await post('webhooks/flush');
  const target = `POST ${url}/hooks 0 ms`;
  const event = String.raw`order.\u001b[31mpaid\u000aGET /`;
  await eventually(() =>
    expect(deliveries()).toEqual([
      `2026-01-01T00:00:00.000Z 503 ${target} (delivery of ${event}, attempt 1)\n`,
      expect.stringContaining(`--- ${target} (delivery of ${event}, attempt 2: TypeError: fetch failed`),
      `2026-01-01T00:00:06.000Z 204 ${target} (delivery of ${event}, attempt 3)\n`,
    ]),
  );
});
