import { eventually } from '@confab/internal/test-support';
import { expect, onTestFinished, test } from 'vitest';
import { createMock } from '../../src/index.ts';
import { listen } from '../../src/server/serve.ts';
import { controlOf, makeWorld, requestJson, start } from '../support/serving.ts';

const PHONE = '+5511987654321';
const lead = { method: 'POST', body: JSON.stringify({ phone: PHONE }) };

test('a world has its own base URL, key, clock and data, and no worlds', async () => {
  const { mock, server } = await start();
  const [one, two] = [await makeWorld(server, { data: 'demo' }), await makeWorld(server)];
  expect(one).toMatchObject({ path: `/w/${one.id}`, baseUrl: `${server.url}/w/${one.id}`, ttlMs: 600_000 });
  expect(new Set([one.apiKey, two.apiKey, mock.apiKey]).size).toBe(3);

  expect((await two.api('leads', lead)).status).toBe(201);
  expect([(await one.api('leads')).meta.total, (await two.api('leads')).meta.total]).toEqual([60, 1]);
  expect(mock.leads.count()).toBe(0);
  expect((await two.api('leads', {}, one.apiKey)).status).toBe(401);
  const headers = { 'x-api-key': two.apiKey };
  expect((await requestJson(`${server.url}/api/v2/public/leads`, { headers })).status).toBe(401);

  for (const path of ['openapi.json', '__mock/openapi.json', '__mock/api.json']) {
    expect(await requestJson(`${one.baseUrl}/${path}`)).toMatchObject({ servers: [{ url: one.baseUrl }] });
  }
  await one.control('POST', 'clock', { advance: 60_000 });
  const now = async ({ control }: typeof one) =>
    Date.parse(((await control('GET', 'clock')).data as { now: string }).now);
  expect((await now(one)) - (await now(two))).toBe(60_000);
  await one.control('POST', 'faults', { operation: 'leads.list', fault: { status: 503 }, once: false });
  expect([(await one.api('leads')).status, (await two.api('leads')).status]).toEqual([503, 200]);
  expect((await two.control('POST', 'requests/count', {})).data).toEqual({ count: 4 });

  const other = await makeWorld(server, { clock: 'system', keys: [{ key: 'mine', rateLimit: null }] });
  expect((await other.control('GET', 'info')).data).toMatchObject({ clock: { kind: 'system' } });
  expect((await other.api('leads', {}, 'mine')).status).toBe(200);

  await two.control('POST', 'reset');
  expect((await two.api('leads')).meta.total).toBe(0);
  const { status, error } = await one.control('POST', 'worlds', {});
  expect([status, error]).toEqual([404, expect.stringContaining('at the root of the server')]);
});

test('a deleted world returns a 404 that says that it was deleted or has expired', async () => {
  const { server, control } = await start();
  const world = await makeWorld(server);
  await world.control('POST', 'faults', { operation: '*', fault: { network: 'hang' } });
  const hanging = world.api('agents');
  hanging.catch(() => {});
  await eventually(async () => expect((await control('GET', 'worlds')).data).toMatchObject([{ busy: 1 }]));
  expect((await control('DELETE', `worlds/${world.id}`)).status).toBe(200);
  await expect(hanging).rejects.toThrow('fetch failed');
  const error = `No world has the id "${world.id}". It was deleted, or it expired because nothing used it. Create a new one with POST /__mock/worlds.`;
  for (const path of ['', '/', '/api/v2/public/agents', '/__mock/state', '/openapi.json']) {
    expect(await requestJson(world.baseUrl + path)).toMatchObject({ status: 404, error });
  }
  expect((await requestJson(`${server.url}/w/`)).status).toBe(404);
});

test('a server refuses to create more worlds than its limit', async () => {
  const server = await listen(createMock(), { limits: { worlds: 2 } });
  onTestFinished(() => server.close());
  const [one] = [await makeWorld(server), await makeWorld(server)];
  const control = controlOf(server.url);
  const { status, error } = await control('POST', 'worlds', {});
  expect(status).toBe(400);
  expect(error).toMatch(
    /^This server already has 2 worlds\. .* DELETE \/__mock\/worlds\/\{id\}, or .* --world-ttl\.$/,
  );
  await control('DELETE', `worlds/${one.id}`);
  expect((await control('POST', 'worlds', {})).status).toBe(201);
});

test('a world is deleted after worldTtl without use, and not while a request is in flight', async () => {
  const { server, control } = await start({ worldTtl: 500 });
  const forever = await start({ worldTtl: Number.POSITIVE_INFINITY });
  await makeWorld(forever.server);
  const [used, unused] = [await makeWorld(server), await makeWorld(server)];
  await used.control('POST', 'faults', { operation: '*', fault: { network: 'hang' } });
  const leaving = new AbortController();
  const hanging = used.api('agents', { signal: leaving.signal });
  hanging.catch(() => {});
  const ids = async () => ((await control('GET', 'worlds')).data as { id: string }[]).map(({ id }) => id);
  await eventually(async () => expect(await ids()).toEqual([used.id]));
  expect((await unused.api('agents')).status).toBe(404);
  // Longer than `worldTtl`, but the world is in use.
  const began = performance.now();
  await eventually(() => expect(performance.now() - began).toBeGreaterThan(600));
  expect((await control('GET', 'worlds')).data).toMatchObject([{ id: used.id, busy: 1, unusedMs: 0 }]);
  leaving.abort();
  await eventually(async () => expect(await ids()).toEqual([]));
  expect((await forever.control('GET', 'worlds')).data).toHaveLength(1);
});

test('closing the server closes its worlds, and onRequest is called for their requests', async () => {
  const heard: string[] = [];
  const service = await start({ onRequest: ({ path }) => heard.push(path) });
  const world = await makeWorld(service.server);
  await world.api('agents');
  await eventually(() => expect(heard).toEqual(['/api/v2/public/agents']));
  await service.server.close();
  await expect(world.api('agents')).rejects.toThrow('fetch failed');
});
