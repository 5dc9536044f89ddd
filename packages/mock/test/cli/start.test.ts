import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, listen } from '@confab/internal/test-support';
import { expect, test } from 'vitest';
import { createMock } from '../../src/index.ts';
import { folder, serving } from '../support/command.ts';
import { ask, statusOf } from '../support/serving.ts';

const LEADS = '/api/v2/public/leads';
const AGENTS = '/api/v2/public/agents';

test('--key, --scopes, --rate-limit, --data and --fault shape the service', async () => {
  const { key, call } = await serving(
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
});

test('the key that is printed works, and no other does', async () => {
  const seeded = createMock({ data: 'demo' }).apiKey;
  for (const [args, expected] of [
    [[], seeded],
    [['--key', 'mine'], 'mine'],
    [['--key', seeded], seeded],
    [['--scopes', 'read:leads'], seeded],
    [['--key', 'mine', '--scopes', 'read:leads'], 'mine'],
  ] as const) {
    const { key, call } = await serving(...args);
    expect([args, key, (await call(LEADS)).status]).toEqual([args, expected, 200]);
    const limited = args.some((arg) => arg === '--scopes');
    expect([args, (await call(AGENTS)).status]).toEqual([args, limited ? 403 : 200]);
    if (key === seeded) {
      continue;
    }
    const other = await call(LEADS, { headers: { 'x-api-key': seeded } });
    expect([args, other.status]).toEqual([args, 401]);
  }
});

test('/__mock/reset keeps what the flags set up', async () => {
  const path = join(folder(), 'rows.json');
  writeFileSync(path, '{"leads":[{"phone":"+5511987654321"}]}');
  const { call } = await serving(
    ...['--key', 'mine', '--scopes', 'read:leads,write:leads', '--fault', 'agents.list:418'],
    ...['--data', path, '--clock', 'virtual'],
  );
  const look = async () => [
    (await call(LEADS)).body.meta.total,
    (await call(AGENTS)).status,
    (await call('/api/v2/public/conversations')).status,
  ];
  const before = await look();
  expect(before).toEqual([1, 418, 403]);
  await call(LEADS, { method: 'POST', body: '{"phone":"+5511987654322"}' });
  await call('/__mock/faults', { method: 'DELETE' });
  expect(await look()).toEqual([2, 403, 403]);
  await call('/__mock/reset', { method: 'POST' });
  expect(await look()).toEqual(before);
});

test('--host is where it listens, and --admin-token what the control endpoints ask for', async () => {
  const open = await serving('--host', '0.0.0.0');
  expect((await open.call('/__mock/state')).status).toBe(403);
  const guarded = await serving('--host', '0.0.0.0', '--admin-token', 'hush');
  expect((await guarded.call('/__mock/state')).status).toBe(401);
  expect((await guarded.call('/__mock/state', { headers: { 'x-admin-token': 'hush' } })).status).toBe(200);
});

test('--allow-http accepts plain HTTP under any name, and the banner mentions no proxy', async () => {
  const { url, key, banner } = await serving('--host', '0.0.0.0', '--allow-http');
  const lines = [`GET ${AGENTS} HTTP/1.1`, 'host: mock:4010', `x-api-key: ${key}`];
  expect(statusOf(await ask(url, lines))).toBe(200);
  expect(banner).not.toContain('x-forwarded-proto');
});

test('each request prints a line with its target, the status of its response, and its fault', async () => {
  const { call, lines } = await serving('--clock', 'virtual', '--fault', 'agents.list:503');
  await call(`${LEADS}?limit=1&limit=2&search=caf%C3%A9`);
  await call(AGENTS);
  await call('/nowhere');
  const at = '2026-01-01T00:00:00.000Z';
  expect(lines()).toEqual([
    `${at} 400 GET ${LEADS}?limit=1&limit=2&search=caf%C3%A9 0 ms\n`,
    `${at} 503 GET ${AGENTS} 0 ms (fault {"status":503,"probability":1})\n`,
    `${at} 404 GET /nowhere 0 ms\n`,
  ]);
});

test('requests to the control endpoints and for the description have lines too, and are told from the others', async () => {
  const { call, lines } = await serving('--clock', 'virtual');
  await call('/__mock/requests?limit=1');
  await call('/__mock/nothing');
  await call('/openapi.json');
  const at = '2026-01-01T00:00:00.000Z';
  await eventually(() =>
    expect(lines()).toEqual([
      `${at} 200 GET /__mock/requests?limit=1 (control)\n`,
      `${at} 404 GET /__mock/nothing (control)\n`,
      `${at} 200 GET /openapi.json (description)\n`,
    ]),
  );
  expect((await call('/__mock/requests')).body.data).toEqual([]);
});

test('a line says how long its request took on the clock', async () => {
  const { call, lines } = await serving('--clock', 'virtual', '--latency', '250');
  await call(AGENTS);
  await eventually(() => expect(lines()).toEqual([expect.stringMatching(/ 200 GET \S+ 250 ms\n$/)]));
});

test('each attempt of a delivery prints a line with its URL, its status or failure, and its event', async () => {
  const statuses = [503, 204];
  const url = await listen((_, response) => response.writeHead(statuses.shift() ?? 500).end());
  const { call, lines } = await serving(
    ...['--clock', 'virtual', '--webhook', `${url}/hooks?token=hidden`, '--webhook-secret', 'secret'],
  );
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
      `2026-01-01T00:00:01.000Z 204 ${target} (delivery of ${event}, attempt 2)\n`,
    ]),
  );
});

test('a failed delivery of a world prints why it failed', async () => {
  const { call, lines } = await serving('--clock', 'virtual');
  const world = (await call('/__mock/worlds', { method: 'POST', body: '{}' })).body.data as unknown as {
    path: string;
  };
  const post = (path: string, body?: string) =>
    call(`${world.path}/__mock/${path}`, { method: 'POST', body: body ?? null });
  const closed = await listen((_, response) => response.destroy());
  await post('webhooks/endpoints', JSON.stringify({ url: closed, secret: 'secret', retries: [] }));
  await post('webhooks/emit', '{"event":"order.paid"}');
  await post('webhooks/flush');
  const [line] = await eventually(() => {
    const found = lines().filter((each) => each.includes('(delivery'));
    expect(found).toHaveLength(1);
    return found;
  });
  expect(line).toContain(
    ` --- POST ${closed}/ 0 ms (delivery of order.paid, attempt 1: TypeError: fetch failed`,
  );
});
