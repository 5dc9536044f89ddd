import { createClient } from '@confab/client';
import { afterAll, expect, test } from 'vitest';
import { ENDPOINTS } from '../../src/control/endpoints.ts';
import type { Mock } from '../../src/index.ts';
import type { RemoteMock } from '../../src/remote/index.ts';
import { connectMock } from '../../src/remote/index.ts';
import { RESOURCE_NAMES } from '../../src/world/resources/names.ts';
import { RESOURCES } from '../../src/world/resources/resources.ts';
import { checkDocumented } from '../support/documented.ts';
import { secret } from '../support/receiver.ts';
import { start, startForFile } from '../support/serving.ts';

const PHONE = '+5511987654321';

const { server } = await startForFile();
const { called, problems, end } = await checkDocumented(server.url);

afterAll(async () => {
  end();
  await server.close();
  expect(problems, 'every response is as the document of the control endpoints says').toEqual([]);
  // A remote mock has no methods for documents and streams.
  const own = ['health', 'index', 'openapi', 'api', 'events'];
  const wanted = ENDPOINTS.map(({ operationId }) => operationId).filter((id) => !own.includes(id));
  expect(wanted.filter((id) => !called.has(id))).toEqual([]);
});

const connected = async (
  options: Parameters<typeof start>[0] = {},
  mockOptions: Parameters<typeof start>[1] = {},
) => {
  const service = await start(options, mockOptions);
  const remote = await connectMock(service.server.url, { adminToken: options.adminToken });
  return { ...service, remote };
};

test('connectMock() returns the base URL, the key and options with which a client works', async () => {
  const { remote, mock, server } = await connected();
  expect([remote.baseUrl, remote.apiKey]).toEqual([server.url, mock.apiKey]);
  const confab = createClient(remote.clientOptions);
  const { id } = await confab.leads.create({ phone: PHONE });
  expect(await remote.leads.get(id)).toEqual(mock.leads.get(id));
  expect(await remote.dump()).toEqual(mock.dump());
});

test.each(RESOURCE_NAMES)(
  'a remote mock creates, reads, changes, counts and deletes rows of %s',
  async (name) => {
    const service = await connected({}, { data: 'demo' });
    const here = service.mock[name] as Mock['leads'];
    const there = service.remote[name] as RemoteMock['leads'];
    const needsConversation = 'conversationId' in RESOURCES[name].schema.shape;
    const init = needsConversation ? { conversationId: service.mock.conversations.find()[0]?.id } : {};
    const row = await there.create(init as object);
    expect(row).toEqual(here.get(row.id));
    expect(await there.get(row.id.toUpperCase())).toEqual(row);
    expect(await there.find()).toEqual(here.find());
    expect(await there.find({ id: row.id })).toEqual([row]);
    expect(await there.count({ id: undefined })).toBe(here.count());
    expect(await there.update(row.id, row)).toEqual(row);
    expect([await there.delete(row.id), await there.delete(row.id)]).toEqual([true, false]);
    expect(await there.get(row.id)).toBeUndefined();
    await expect(there.update(row.id, {})).rejects.toThrow(/^No \w+ has the id/);
  },
);

test('find() of a remote mock reads lists that are longer than a page', async () => {
  const leads = Array.from({ length: 10_001 }, (_, at) => ({ displayName: `Lead ${at}` }));
  const service = await connected({}, { data: { leads } });
  const found = await service.remote.leads.find();
  expect(new Set(found.map(({ id }) => id)).size).toBe(10_001);
});

test('the keys, faults, clock and log of a remote mock work as those of a local mock', async () => {
  const { remote, mock } = await connected();
  const rateLimit = Number.POSITIVE_INFINITY;
  const { id, key } = await remote.keys.create({ scopes: ['read:agents'], rateLimit });
  expect(await remote.keys.list()).toEqual(mock.keys.list());
  const confab = createClient({ ...remote.clientOptions, apiKey: key, retry: false });

  const planned = await remote.faults.always('agents.list', { status: 503 });
  const headers = { 'x-tenant': 'a' };
  await remote.faults.once('*', { status: 418, match: { headers } });
  mock.faults.once('leads.get', () => undefined);
  const faults = (await remote.faults.planned()).map(({ fault }) => fault);
  expect(faults).toEqual([{ status: 503 }, { status: 418, match: { headers } }, null]);
  await expect(confab.agents.list({ headers })).rejects.toMatchObject({ status: 418 });
  await expect(confab.agents.list()).rejects.toMatchObject({ status: 503 });
  expect([await remote.faults.remove(planned), await remote.faults.remove(planned)]).toEqual([true, false]);
  await remote.faults.clear();
  expect(await confab.agents.list()).toHaveLength(1);

  expect(await remote.requests.all()).toEqual(JSON.parse(JSON.stringify(mock.requests.all)));
  expect(await remote.requests.of('agents.list')).toHaveLength(3);
  expect((await remote.requests.list({ status: 503, limit: 1 })).meta.total).toBe(1);
  const page = await remote.requests.list({ method: 'get', limit: 1, offset: 2 });
  expect(page).toMatchObject({ data: [{ status: 200 }], meta: { total: 3, limit: 1, offset: 2 } });
  expect(await remote.requests.count({ keyId: id })).toBe(3);
  expect(await remote.requests.verify({ operation: 'agents.list', times: 3 })).toBe(3);
  await expect(remote.requests.verify({ operation: 'leads.list' })).rejects.toMatchObject({
    ...{ code: 'VERIFICATION_FAILED', message: expect.stringContaining('Expected at least 1 request') },
  });
  expect(await remote.requests.length()).toBe(3);
  await remote.requests.clear();
  expect(mock.requests.length).toBe(0);
  expect([await remote.keys.revoke(key), await remote.keys.revoke(key)]).toEqual([true, false]);

  const now = await remote.clock.now();
  expect(now).toBe(mock.clock.now());
  await remote.clock.advance(1_000);
  await remote.clock.set(new Date(now + 2_000));
  expect(mock.clock.now()).toBe(now + 2_000);
});

test('the webhooks, inbound messages and snapshots of a remote mock work as those of a local mock', async () => {
  const { remote, mock } = await connected();
  const before = await remote.snapshot();
  expect(await remote.snapshots()).toEqual([before]);
  const endpoint = { url: 'http://127.0.0.1:9/', secret, retries: [], timeout: Number.POSITIVE_INFINITY };
  const id = await remote.webhooks.add(endpoint);
  expect(await remote.webhooks.endpoints()).toEqual(mock.webhooks.endpoints);
  await remote.webhooks.deliveryFaults.once({ copies: 2 });
  const { lead } = await remote.inbound({ phone: PHONE, body: 'Hello' });
  expect(lead.phone).toBe(PHONE);
  const lost = await remote.webhooks.deliveryFaults.always({ copies: 0, match: { event: 'x' } });
  const forged = await remote.webhooks.deliveryFaults.once({ signature: 'wrong' });
  expect(await remote.webhooks.deliveryFaults.planned()).toEqual([
    { id: lost, fault: { copies: 0, match: { event: 'x' } }, once: false, used: 0 },
    { id: forged, fault: { signature: 'wrong' }, once: true, used: 0 },
  ]);
  expect(await remote.webhooks.deliveryFaults.remove(forged)).toBe(true);
  await remote.webhooks.deliveryFaults.clear();
  await remote.webhooks.emit('order.paid', { id: 1 });
  await remote.webhooks.flush();
  const deliveries = await remote.webhooks.deliveries();
  const outcomes = deliveries.map(({ event, state }) => `${event} ${state}`);
  expect(outcomes).toEqual([...Array(2).fill('message.created failed'), 'order.paid failed']);
  const again = await remote.webhooks.redeliver(deliveries[2]?.id ?? '');
  expect(again.messageId).toBe(deliveries[2]?.messageId);
  expect([await remote.webhooks.remove(id), await remote.webhooks.remove(id)]).toEqual([true, false]);

  await remote.restore(before);
  expect(mock.leads.count()).toBe(0);
  expect([await remote.deleteSnapshot(before), await remote.deleteSnapshot(before)]).toEqual([true, false]);
  await expect(remote.restore(before)).rejects.toThrow(`No snapshot has the id ${before.id}`);
  await remote.leads.create({});
  await remote.reset();
  expect(mock.leads.count()).toBe(0);
});

test('worlds.create() returns a world that is controlled like the first one, and that `await using` deletes', async () => {
  const { remote, mock } = await connected({ adminToken: 'hush' });
  let deleted = '';
  {
    const forever = Number.POSITIVE_INFINITY;
    const signed = { url: 'http://127.0.0.1:9/', secret: `whsec_${btoa(server.url)}`, timeout: forever };
    const webhooks = { endpoints: [{ ...signed, signature: 'standard-webhooks' as const }] };
    await using world = await remote.worlds.create({ data: 'demo', rateLimit: forever, webhooks });
    const listed = [...(await world.webhooks.endpoints()), ...(await world.keys.list())];
    const endpoint = { signature: 'standardWebhooks()', timeout: forever };
    expect(listed).toMatchObject([endpoint, { rateLimit: { requests: forever } }]);
    deleted = world.baseUrl;
    expect(deleted).toBe(`${remote.baseUrl}/w/${world.id}`);
    const confab = createClient(world.clientOptions);
    await confab.leads.create({ phone: PHONE });
    expect([await world.leads.count(), mock.leads.count()]).toEqual([61, 0]);
    expect((await remote.worlds.list()).map(({ id }) => id)).toEqual([world.id]);
    const again = await connectMock(world.baseUrl, { adminToken: 'hush' });
    expect([again.apiKey, await again.leads.count()]).toEqual([world.apiKey, 61]);
  }
  expect(await remote.worlds.list()).toEqual([]);
  await expect(connectMock(deleted, { adminToken: 'hush' })).rejects.toThrow('No world has the id');
});

test('reading a row of a deleted world fails, instead of finding no row', async () => {
  const { remote } = await connected();
  const world = await remote.worlds.create();
  expect([await world.delete(), await world.delete()]).toEqual([true, false]);
  await expect(world.leads.delete('x')).rejects.toThrow('No world has the id');
  await expect(world.leads.get('x')).rejects.toThrow('No world has the id');
});
