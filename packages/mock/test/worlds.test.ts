import { createClient } from '@confab/client';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../internal/test-support/eventually.ts';
import { createMock } from '../src/index.ts';
import { listen } from '../src/server/listen.ts';
import { ServedWorlds } from '../src/server/served-worlds.ts';
import { start } from './support/serving.ts';
import { ask, makeWorld } from './support/worlds.ts';

const PHONE = '+5511987654321';
const lead = { method: 'POST', body: JSON.stringify({ phone: PHONE }) };

test('a world has a base URL, key, clock and data of its own', async () => {
  await using service = await start();
  const { mock, server } = service;
  const [one, two] = [await makeWorld(server, { data: 'demo' }), await makeWorld(server)];
  expect(one).toMatchObject({ path: `/w/${one.id}`, baseUrl: `${server.url}/w/${one.id}`, ttlMs: 600_000 });
  expect(new Set([one.apiKey, two.apiKey, mock.apiKey]).size).toBe(3);

  expect((await two.api('leads', lead)).status).toBe(201);
  expect([(await one.api('leads')).meta.total, (await two.api('leads')).meta.total]).toEqual([60, 1]);
  expect(mock.leads.count()).toBe(0);
  expect((await ask(`${two.baseUrl}/api/v2/public/leads`, { key: one.apiKey })).status).toBe(401);
  expect((await ask(`${two.baseUrl}/api/v2/public/leads`, { key: mock.apiKey })).status).toBe(401);
  expect((await ask(`${server.url}/api/v2/public/leads`, { key: two.apiKey })).status).toBe(401);

  await one.control('POST', 'clock', { advance: 60_000 });
  const now = async ({ control }: typeof one) => (await control('GET', 'clock')).data.now;
  expect(Date.parse(String(await now(one))) - Date.parse(String(await now(two)))).toBe(60_000);
  await one.control('POST', 'faults', { operation: 'leads.list', fault: { status: 503 }, once: false });
  expect([(await one.api('leads')).status, (await two.api('leads')).status]).toEqual([503, 200]);
  expect((await two.control('POST', 'requests/count', { operation: 'leads.create' })).data).toEqual({
    count: 1,
  });

  await two.control('POST', 'reset');
  expect((await two.api('leads')).meta.total).toBe(0);
});

test('a client works below the path of a world', async () => {
  await using service = await start();
  const { baseUrl, apiKey } = await makeWorld(service.server);
  const confab = createClient({ baseUrl, apiKey });
  const { id } = await confab.leads.create({ phone: PHONE });
  expect((await confab.leads.get(id)).phone).toBe(PHONE);
});

test('the documents of a world name its base URL', async () => {
  await using service = await start();
  const { baseUrl } = await makeWorld(service.server);
  for (const path of ['openapi.json', '__mock/openapi.json', '__mock/api.json']) {
    const document = (await (await fetch(`${baseUrl}/${path}`)).json()) as { servers: { url: string }[] };
    expect([path, document.servers[0]?.url]).toEqual([path, baseUrl]);
  }
  expect((await ask(`${baseUrl}/__mock/info`)).data.baseUrl).toBe(baseUrl);
});

test('the same seed gives two worlds the same ids, and other keys', async () => {
  await using service = await start();
  const [one, two] = [
    await makeWorld(service.server, { seed: 7 }),
    await makeWorld(service.server, { seed: 7 }),
  ];
  expect((await one.control('GET', 'state')).data).toEqual((await two.control('GET', 'state')).data);
  expect(one.apiKey).not.toBe(two.apiKey);
});

test('a world takes the options of createMock that JSON can express', async () => {
  await using service = await start();
  const world = await makeWorld(service.server, {
    seed: 3,
    data: { leads: [{ phone: '11 98765-4321' }] },
    clock: 'system',
    keys: [{ key: 'mine', scopes: ['read:leads'], rateLimit: 1 }],
    rateLimit: { requests: 2, perMs: 60_000, headers: 'always' },
    scopes: { 'agents.list': 'read:robots' },
    latency: { min: 0, max: 1 },
    webhooks: {
      endpoints: [{ url: 'http://127.0.0.1:9/', secret: 'whsec_0123456789', timeout: null }],
      events: { newConversation: 'conversation.created' },
    },
    strict: true,
    maxLogBytes: 1_000_000,
    defaultCountry: 'BR',
  });
  expect((await world.api('leads')).data).toMatchObject([{ phone: PHONE }]);
  expect((await world.control('GET', 'info')).data).toMatchObject({ clock: { kind: 'system' } });
  expect((await world.control('GET', 'webhooks/endpoints')).data).toMatchObject([{ timeout: null }]);
  const read = () => ask(`${world.baseUrl}/api/v2/public/leads`, { key: 'mine' });
  expect([(await read()).status, (await read()).status]).toEqual([200, 429]);
  expect((await world.control('GET', 'keys')).data).toMatchObject([
    { scopes: expect.arrayContaining(['read:robots']), rateLimit: { requests: 2 } },
    { scopes: ['read:leads'] },
  ]);
});

test.each([
  [{ sede: 1 }, 'body has unknown fields: sede. Did you mean seed?'],
  [{ baseUrl: 'https://a.test' }, 'unknown fields: baseUrl'],
  [{ data: 'dem' }, 'body.data must be "minimal", "demo", or lists of rows'],
  [{ data: { lead: [] } }, 'Did you mean `leads`?'],
  [{ data: { leads: [{ phone: 'none' }] } }, 'must be in E.164'],
  [{ clock: 'real' }, 'body.clock must be one of "virtual", "system"'],
  [{ rateLimit: 'low' }, 'body.rateLimit must be a whole number of requests per minute'],
  [{ keys: [{ scopes: ['read:lead'] }] }, 'Did you mean "read:leads"?'],
  [{ webhooks: { endpoint: [] } }, 'Did you mean endpoints?'],
  [{ scopes: { 'leads.lst': 'read:x' } }, 'Did you mean `leads.list`?'],
])('a world with the options %j is refused', async (options, says) => {
  await using service = await start();
  const refused = await service.control('POST', 'worlds', options);
  expect(refused).toMatchObject({ status: 400, error: expect.stringContaining(says) });
  expect((await service.control('GET', 'worlds')).data).toEqual([]);
});

test('a deleted world is gone, and responds with a 404 that says so', async () => {
  await using service = await start();
  const { server, control } = service;
  const world = await makeWorld(server);
  await world.control('POST', 'faults', { operation: '*', fault: { network: 'hang' } });
  const hanging = world.api('agents');
  hanging.catch(() => {});
  await eventually(async () => {
    expect((await control('GET', 'worlds')).data).toMatchObject([{ id: world.id, busy: 1, unusedMs: 0 }]);
  });
  expect((await control('DELETE', `worlds/${world.id}`)).status).toBe(200);
  await expect(hanging).rejects.toThrow('fetch failed');
  for (const path of ['', '/', '/api/v2/public/agents', '/__mock/state', '/openapi.json']) {
    expect(await ask(world.baseUrl + path)).toMatchObject({
      status: 404,
      error: `No world has the id "${world.id}". It was deleted, or it expired because nothing used it. Create another with POST /__mock/worlds.`,
    });
  }
  expect((await ask(`${server.url}/w/`)).status).toBe(404);
});

test('the control endpoints of a world need the admin token', async () => {
  await using service = await start({ adminToken: 'hush' });
  const { server, control } = service;
  expect((await control('POST', 'worlds', {})).status).toBe(401);
  const made = await control('POST', 'worlds', {}, { 'x-admin-token': 'hush' });
  const { baseUrl, id } = made.data as { baseUrl: string; id: string };
  expect((await ask(`${baseUrl}/__mock/state`)).status).toBe(401);
  expect((await ask(`${server.url}/__mock/worlds/${id}`, { method: 'DELETE' })).status).toBe(401);
  expect((await ask(`${baseUrl}/__mock/health`)).status).toBe(200);
});

test('a world has no worlds of its own', async () => {
  await using service = await start();
  const world = await makeWorld(service.server);
  expect(await world.control('POST', 'worlds', {})).toMatchObject({
    status: 404,
    error: expect.stringContaining('at the root of the server'),
  });
});

test('a server refuses more worlds than it can hold', async () => {
  const server = await listen(createMock(), { limits: { max: 2 } });
  onTestFinished(() => server.close());
  const [one] = [await makeWorld(server), await makeWorld(server)];
  const create = () => ask(`${server.url}/__mock/worlds`, { method: 'POST', body: '{}' });
  expect(await create()).toMatchObject({
    status: 400,
    error:
      'This server already has 2 worlds. Delete those that you no longer need: DELETE /__mock/worlds/{id}.',
  });
  await ask(`${server.url}/__mock/worlds/${one.id}`, { method: 'DELETE' });
  expect((await create()).status).toBe(201);
});

test('a server refuses worlds that would take more memory than it has for them, and says how to raise that', async () => {
  const notes = 'x'.repeat(100_000);
  const service = await start({ maxWorldBytes: 1_500_000 });
  onTestFinished(() => service.server.close());
  const create = (leads: number) =>
    service.control('POST', 'worlds', { data: { leads: Array(leads).fill({ notes }) } });
  const first = await create(3);
  expect([first.status, (await create(3)).status]).toEqual([201, 201]);
  const refused = await create(3);
  expect(refused).toMatchObject({ status: 507, code: 'INSUFFICIENT_STORAGE' });
  expect(refused.error).toBe(
    'The worlds of this server take about 1.3 MiB, and this one would add 0.6 MiB of rows, but all of them together may take 1.4 MiB. Delete those that you no longer need (DELETE /__mock/worlds/{id}), or raise `maxWorldBytes` of serve() or --max-world-bytes.',
  );
  await service.control('DELETE', `worlds/${(first.data as { id: string }).id}`);
  expect((await create(3)).status).toBe(201);
});

test('rows without texts, and what a world does after it was made, count too', async () => {
  const service = await start({ maxWorldBytes: 1_000_000 });
  onTestFinished(() => service.server.close());
  const many = await service.control('POST', 'worlds', { data: { leads: Array(2_000).fill({}) } });
  expect(many.status).toBe(507);
  const one = await makeWorld(service.server);
  for (let at = 0; at < 3; at += 1) {
    const body = JSON.stringify({ phone: `${PHONE.slice(0, -1)}${at}`, notes: 'x'.repeat(100_000) });
    expect((await one.api('leads', { method: 'POST', body })).status).toBe(201);
  }
  expect((await service.control('POST', 'worlds', {})).status).toBe(507);
  await one.control('DELETE', 'requests');
  expect((await service.control('POST', 'worlds', {})).status).toBe(201);
});

test.each([0, Number.NaN, '5'])('a maxWorldBytes of %j is refused', async (maxWorldBytes) => {
  await expect(start({ maxWorldBytes: maxWorldBytes as number })).rejects.toThrow(
    /`maxWorldBytes` must be bytes \(more than 0\), got/,
  );
});

test('a world is deleted once it was unused for long enough, and not while a request is under way', async () => {
  const worlds = new ServedWorlds({ ttl: 20, max: 10, maxBytes: 1e9, clock: 'virtual' });
  onTestFinished(() => worlds.close());
  const [used, unused] = [worlds.create({}, 'http://127.0.0.1'), worlds.create({}, 'http://127.0.0.1')];
  const entered = worlds.enter(used.id);
  await eventually(() => expect(worlds.list().map(({ id }) => id)).toEqual([used.id]));
  expect(worlds.enter(unused.id)).toBeUndefined();
  // Longer than a world may be unused: it is in use.
  const began = performance.now();
  await eventually(() => expect(performance.now() - began).toBeGreaterThan(100));
  expect(worlds.list()).toMatchObject([{ id: used.id, busy: 1, unusedMs: 0 }]);
  entered?.leave();
  await eventually(() => expect(worlds.list()).toEqual([]));
  expect(entered?.context.world.life.signal.aborted).toBe(true);
});

test('a world that never expires, and one with a long time, stay', async () => {
  for (const ttl of [Number.POSITIVE_INFINITY, 2 ** 40]) {
    const server = await listen(createMock(), { worldTtl: ttl });
    onTestFinished(() => server.close());
    const world = await makeWorld(server);
    expect(world.ttlMs).toBe(ttl === Number.POSITIVE_INFINITY ? null : ttl);
    expect((await world.api('agents')).status).toBe(200);
  }
});

test.each([0, -1, Number.NaN, '5'])('a worldTtl of %j is refused', async (worldTtl) => {
  await expect(start({ worldTtl: worldTtl as number })).rejects.toThrow(
    /`worldTtl` must be milliseconds \(more than 0\), got/,
  );
});

test('closing the server closes its worlds, and onRequest hears of their requests', async () => {
  const heard: string[] = [];
  const service = await start({ onRequest: ({ path }) => heard.push(path) });
  const world = await makeWorld(service.server);
  await world.api('agents');
  await eventually(() => expect(heard).toEqual(['/api/v2/public/agents']));
  await service.server.close();
  await expect(world.api('agents')).rejects.toThrow('fetch failed');
});
