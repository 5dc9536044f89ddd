import { listen } from '@confab/internal/test-support';
import { createWebhooks, standardWebhooks } from '@confab/webhooks';
import addFormats from 'ajv-formats';
import { OpenAPIBackend } from 'openapi-backend';
import { expect, test } from 'vitest';
import { CONTROLS } from '../../src/control/table.ts';
import { start } from '../support/serving.ts';
import { toNodeListener } from '../support/to-node-listener.ts';

const PHONE = '+5511987654321';

type Definition = ConstructorParameters<typeof OpenAPIBackend>[0]['definition'];

interface Answer {
  readonly status: number;
  readonly data: Readonly<Record<string, unknown>> & { readonly id: string };
  readonly list: readonly { readonly id: string }[];
  readonly meta: Readonly<Record<string, unknown>>;
  readonly error: string;
}

/** Calls operations by their id, and checks each response against the document that the server itself serves. */
const caller = async () => {
  const service = await start({}, { data: 'demo' });
  const read = await fetch(`${service.server.url}/__mock/openapi.json`);
  const definition = (await read.json()) as Definition;
  const validator = new OpenAPIBackend({
    definition,
    quick: true,
    // So that dates and ids are looked at too.
    customizeAjv: (ajv) => addFormats.default(ajv),
  });
  await validator.init();
  const called = new Set<string>();

  const call = async (
    id: string,
    {
      params = {},
      query = '',
      body,
    }: { params?: Record<string, string>; query?: string; body?: unknown } = {},
  ): Promise<Answer> => {
    const operation = CONTROLS.find((each) => each.id === id);
    const path = operation?.path.replace(/\{(\w+)\}/g, (_, name) => params[name] ?? '') ?? id;
    const response = await fetch(`${service.server.url}/__mock/${path}${query}`, {
      method: operation?.method ?? '',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as Answer;
    const { errors } = validator.validateResponse(answer, id, response.status);
    expect(errors ?? [], `${id} ${response.status} ${JSON.stringify(answer)}`).toEqual([]);
    called.add(id);
    return { ...answer, status: response.status, list: answer.data as unknown as Answer['list'] };
  };
  return { ...service, call, called };
};

test('every control operation works, and responds as the document says', async () => {
  await using service = await caller();
  const { mock, server, call, called } = service;

  for (const collection of ['pipelines', 'leads', 'conversations', 'messages', 'agents'] as const) {
    const conversation = mock.conversations.find()[0]?.id;
    const made = await call(`${collection}.create`, {
      body: collection === 'messages' ? { conversationId: conversation, content: 'Olá' } : {},
    });
    expect([collection, made.status]).toEqual([collection, 201]);
    const params = { id: made.data.id };
    expect((await call(`${collection}.get`, { params })).data).toEqual(made.data);
    expect((await call(`${collection}.find`, { query: '?limit=1' })).meta).toEqual({
      total: mock[collection].count(),
      limit: 1,
      offset: 0,
    });
    const field = { pipelines: 'name', leads: 'displayName', conversations: 'channel', messages: 'content' };
    const changes = { [field[collection as 'leads'] ?? 'name']: 'changed' };
    expect((await call(`${collection}.update`, { params, body: changes })).data).toMatchObject(changes);
    expect(mock[collection].get(made.data.id)).toMatchObject(changes);
    expect((await call(`${collection}.delete`, { params })).data).toEqual({ deleted: true });
    expect(mock[collection].get(made.data.id)).toBeUndefined();
    for (const id of ['get', 'update', 'delete']) {
      const body = id === 'update' ? { body: {} } : {};
      expect((await call(`${collection}.${id}`, { params, ...body })).status).toBe(404);
    }
  }

  const info = await call('info');
  expect(info.data).toEqual({
    baseUrl: server.url,
    apiKey: mock.apiKey,
    clock: { now: new Date(mock.clock.now()).toISOString(), kind: 'virtual' },
  });

  const taken = await call('snapshots.take');
  const before = mock.leads.count();
  expect((await call('inbound', { body: { phone: PHONE, body: 'Hello' } })).status).toBe(200);
  expect((await call('snapshots.list')).list).toEqual([taken.data]);
  await call('snapshots.restore', { params: { id: taken.data.id } });
  expect(mock.leads.count()).toBe(before);
  await call('snapshots.delete', { params: { id: taken.data.id } });
  expect((await call('snapshots.restore', { params: { id: taken.data.id } })).status).toBe(404);
  expect((await call('snapshots.delete', { params: { id: taken.data.id } })).status).toBe(404);
  expect((await call('state')).data).toEqual(mock.dump());

  const key = await call('keys.create', { body: { scopes: ['read:agents'], rateLimit: null } });
  const list = () =>
    fetch(`${server.url}/api/v2/public/agents`, { headers: { 'x-api-key': String(key.data.key) } });
  expect((await list()).status).toBe(200);
  const fault = await call('faults.plan', {
    body: { operation: 'agents.list', fault: { status: 503 }, once: false },
  });
  mock.faults.once('*', () => undefined);
  expect((await list()).status).toBe(503);
  expect((await call('faults.list')).list).toEqual([
    { id: fault.data.id, operation: 'agents.list', fault: { status: 503 }, once: false },
    { id: 'fault_2', operation: '*', fault: null, once: true },
  ]);
  await call('faults.remove', { params: { id: fault.data.id } });
  expect((await call('faults.remove', { params: { id: fault.data.id } })).status).toBe(404);
  await call('faults.clear');
  expect(mock.faults.planned).toEqual([]);
  expect((await call('keys.list')).list).toContainEqual({
    id: key.data.id,
    scopes: ['read:agents'],
    rateLimit: { requests: null, perMs: 60_000 },
    used: 0,
  });
  expect((await call('keys.revoke', { body: { key: key.data.id } })).data).toEqual({ revoked: true });
  expect((await list()).status).toBe(401);

  expect((await call('requests.list', { query: '?status=503' })).list).toHaveLength(1);
  expect((await call('requests.count', { body: { keyId: key.data.id } })).data).toEqual({ count: 2 });
  const wanted = { operation: 'agents.list', times: 3 };
  expect(await call('requests.verify', { body: wanted })).toMatchObject({ status: 200, data: { count: 3 } });
  expect(await call('requests.verify', { body: { ...wanted, times: 1 } })).toMatchObject({
    status: 422,
    error: 'Expected exactly 1 request matching {"operation":"agents.list"}, but 3 matched.',
  });
  const world = await call('worlds.create', { body: { data: 'demo' } });
  expect((await call('worlds.list')).list).toMatchObject([{ id: world.data.id, busy: 0 }]);
  await call('worlds.delete', { params: { id: world.data.id } });
  expect((await call('worlds.delete', { params: { id: world.data.id } })).status).toBe(404);

  await call('requests.clear');
  expect(mock.requests.length).toBe(0);

  expect((await call('clock.get')).data).toMatchObject({ kind: 'virtual' });
  const now = mock.clock.now();
  await call('clock.move', { body: { advance: 1_000 } });
  expect(mock.clock.now()).toBe(now + 1_000);
  await call('reset');
  expect(mock.clock.now()).toBeLessThan(now + 1_000);

  for (const id of ['health', 'index', 'openapi', 'api']) {
    expect((await call(id)).status).toBe(200);
  }
  for (const { id } of CONTROLS.filter((control) => !/^(webhooks|deliver|events)/.test(control.id))) {
    expect(called).toContain(id);
  }
});

test('webhooks are controlled from outside: endpoints, events, faults, deliveries and redelivery', async () => {
  await using service = await caller();
  const { mock, call, called } = service;
  const secret = `whsec_${btoa('0123456789abcdef0123456789abcdef')}`;
  const endpoint = { url: 'http://127.0.0.1:9/webhooks', secret, signature: 'standard-webhooks' };
  const added = await call('webhooks.add', { body: { ...endpoint, retries: [], timeout: null } });
  expect(added.status).toBe(201);
  expect((await call('webhooks.list')).list).toEqual([
    {
      ...{ id: added.data.id, url: endpoint.url, signature: 'standardWebhooks()' },
      ...{ retries: [], timeout: null, concurrency: 10 },
    },
  ]);

  await call('deliveryFaults.plan', { body: { copies: 2 } });
  await call('webhooks.emit', { body: { event: 'order.paid', data: { id: 7 } } });
  await call('deliveryFaults.plan', { body: { copies: 0 } });
  await call('deliveryFaults.clear');
  await call('webhooks.flush');
  const deliveries = await call('deliveries.list', { query: '?event=order.paid&state=failed' });
  expect(deliveries.meta).toEqual({ total: 2, limit: 1_000, offset: 0 });
  const [first] = deliveries.list;
  const again = await call('deliveries.redeliver', { params: { id: first?.id ?? '' } });
  expect(again).toMatchObject({ status: 201, data: { state: 'pending', event: 'order.paid' } });
  expect((await call('deliveries.redeliver', { params: { id: 'nothing' } })).status).toBe(404);
  await mock.webhooks.flush();

  await call('webhooks.remove', { params: { id: added.data.id } });
  expect((await call('webhooks.remove', { params: { id: added.data.id } })).status).toBe(404);
  expect(await call('deliveries.redeliver', { params: { id: first?.id ?? '' } })).toMatchObject({
    status: 400,
    error: expect.stringContaining('was removed'),
  });
  for (const { id } of CONTROLS.filter((control) => /^(webhooks|deliver)/.test(control.id))) {
    expect(called).toContain(id);
  }
});

test('an event emitted from outside reaches a receiver that verifies it as Standard Webhooks', async () => {
  await using service = await start();
  const { mock, control } = service;
  const secret = `whsec_${btoa('0123456789abcdef0123456789abcdef')}`;
  const webhooks = createWebhooks({ secret, signature: standardWebhooks(), now: mock.clock.now });
  const events: unknown[] = [];
  webhooks.onUnknown(({ event, data }) => {
    events.push({ event, data });
  });
  const url = await listen(toNodeListener(webhooks.fetch));
  const endpoint = { url, retries: [], signature: 'standard-webhooks', headers: { 'x-tenant': 'acme' } };
  const other = `whsec_${btoa('another secret of thirty-two byt')}`;
  await control('POST', 'webhooks/endpoints', { ...endpoint, secret });
  await control('POST', 'webhooks/endpoints', { ...endpoint, secret: other });
  await control('POST', 'webhooks/emit', { event: 'order.paid', data: { id: 7 } });
  await control('POST', 'webhooks/flush');
  expect(events).toEqual([{ event: 'order.paid', data: { id: 7 } }]);
  const signature = { 'webhook-id': expect.any(String), 'webhook-signature': expect.stringMatching(/^v1,/) };
  expect((await control('GET', 'deliveries')).data).toMatchObject([
    { state: 'delivered', attempts: [{ status: 200, signature }] },
    { state: 'failed', attempts: [{ status: 401, signature }] },
  ]);
});

test('GET /__mock/rows selects rows by values, by null and by a part of any text', async () => {
  await using service = await start();
  const { mock, control } = service;
  const ana = mock.leads.create({ displayName: 'Ana', phone: PHONE, status: 'active' });
  const bob = mock.leads.create({ displayName: 'Bob', email: 'bob@SILVA.example' });
  const ids = async (query: string) =>
    ((await control('GET', `rows/leads?${query}`)).data as { id: string }[]).map(({ id }) => id);
  expect(await ids('')).toEqual([bob.id, ana.id]);
  expect(await ids('status=active')).toEqual([ana.id]);
  expect(await ids(`where=${encodeURIComponent('{"phone":null}')}`)).toEqual([bob.id]);
  expect(await ids('search=silva')).toEqual([bob.id]);
  expect(await ids('search=Bo&status=active')).toEqual([]);
  expect(await ids('limit=1&offset=1')).toEqual([ana.id]);
});

test.each([
  ['GET', 'rows/leads?statu=new', undefined, 'Did you mean `status`?'],
  ['GET', 'rows/leads?where=new', undefined, 'query.where must be a JSON object, such as {"leadId":null}'],
  ['GET', 'rows/leads?where=%7B%22phon%22:1%7D', undefined, 'Did you mean `phone`?'],
  ['GET', 'rows/leads?limit=0', undefined, '`limit` must be a whole number from 1 to 10000, got 0'],
  ['POST', 'rows/leads', { displayname: 'Ana' }, 'unknown fields: displayname. Did you mean displayName?'],
  ['POST', 'rows/leads', { createdAt: 'soon' }, 'body.createdAt must be'],
  ['POST', 'rows/leads', { phone: 'none' }, "This lead can't be stored: phone must be in E.164"],
  ['POST', 'rows/messages', { content: 'Hi' }, 'body.conversationId is required'],
  ['POST', 'keys', { scope: [] }, 'Did you mean scopes?'],
  ['POST', 'keys', { scopes: ['read:lead'] }, 'Did you mean "read:leads"?'],
  ['POST', 'keys', { rateLimit: 'many' }, 'body.rateLimit must be a whole number of requests per minute'],
  ['POST', 'keys', { rateLimit: -1 }, 'A rate limit must be'],
  ['POST', 'requests/verify', { operation: 'leads.creat' }, 'Did you mean "leads.create"?'],
  ['POST', 'requests/count', { times: 1 }, 'unknown fields: times'],
  ['POST', 'webhooks/endpoints', { url: 'x', secret: 's' }, 'must be an http or https URL'],
  [
    'POST',
    'webhooks/endpoints',
    { url: 'http://a.test', secret: 's', signature: 'svix' },
    'or "standard-webhooks"',
  ],
  [
    'POST',
    'webhooks/endpoints',
    { url: 'http://a.test', secret: 's', signature: { header: 'x', encodin: 'hex' } },
    'Did you mean `encoding`?',
  ],
  ['POST', 'webhooks/delivery-faults', { copie: 2 }, 'Did you mean copies?'],
  ['POST', 'webhooks/emit', { data: {} }, 'body.event is required'],
  ['POST', 'faults', { operation: '*' }, 'body.fault is required'],
  ['POST', 'faults', { operation: '*', fault: { status: '500' } }, 'got "500"'],
  [
    'POST',
    'requests/verify',
    { times: 'two' },
    'body.times must be a whole number of requests, or { min, max }',
  ],
  ['POST', 'snapshots', { name: 'x' }, 'POST /__mock/snapshots must be called without a body'],
])('%s /__mock/%s %j is refused with 400', async (method, name, body, says) => {
  await using service = await start();
  const { status, error, code } = await service.control(method, name, body);
  expect([status, error, code]).toEqual([400, expect.stringContaining(says), 'INVALID_PARAMETERS']);
});

test('a PATCH changes no id, and the secret of an endpoint never leaves the server', async () => {
  await using service = await start();
  const { mock, control } = service;
  const lead = mock.leads.create({});
  const moved = await control('PATCH', `rows/leads/${lead.id}`, { id: mock.pipelines.find()[0]?.id });
  expect(moved).toMatchObject({ status: 400, error: 'body has unknown fields: id' });
  mock.webhooks.add({ url: 'https://receiver.test', secret: 'whsec_do_not_show' });
  expect(JSON.stringify(await control('GET', 'webhooks/endpoints'))).not.toContain('do_not_show');
});

test('a server keeps at most 100 snapshots of a mock', async () => {
  await using service = await start();
  const { control } = service;
  for (let at = 0; at < 100; at += 1) {
    expect((await control('POST', 'snapshots')).status).toBe(201);
  }
  expect(await control('POST', 'snapshots')).toMatchObject({
    status: 400,
    error: expect.stringContaining('already keeps 100 snapshots of this mock. Delete one first'),
  });
});

test('all control operations need the admin token, reads included', async () => {
  await using service = await start({ adminToken: 'hush' });
  for (const { method, path } of CONTROLS.filter(({ open }) => !open)) {
    const response = await fetch(`${service.server.url}/__mock/${path}`, { method });
    expect([path, response.status]).toEqual([path, 401]);
  }
});

test('the clock of the machine is refused with a way to a virtual one', async () => {
  await using service = await start({}, { clock: 'system' });
  const refused = {
    status: 400,
    error:
      'The clock of this mock is that of the machine, and only a virtual one can be moved. Start it with --clock virtual, or create a world with {"clock":"virtual"}.',
  };
  expect(await service.control('POST', 'clock', { advance: 5 })).toMatchObject(refused);
  expect(await service.control('POST', 'clock', { set: '2030-01-01' })).toMatchObject(refused);
});

test('the document describes every refusal that a caller can meet', async () => {
  await using service = await caller();
  const { call, mock } = service;
  const bad = await Promise.all([
    call('requests.list', { query: '?limt=5' }),
    call('leads.get', { params: { id: 'none' } }),
    call('keys.create', { body: { key: 'x'.repeat(1_100_000) } }),
    call('requests.verify', { body: { operation: 'leads.create' } }),
    call('worlds.create', { body: { rateLimit: 'low' } }),
  ]);
  expect(bad.map(({ status }) => status)).toEqual([400, 404, 413, 422, 400]);
  mock.webhooks.add({ url: 'https://receiver.test', secret: 'secret', fetch: () => new Promise(() => {}) });
  mock.webhooks.emit('x', {});
  expect((await call('webhooks.flush', { query: '?timeoutMs=5' })).status).toBe(409);

  const { paths } = (await (await fetch(`${service.server.url}/__mock/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { operationId: string; responses: object; security?: object }>>;
  };
  for (const { operationId, responses, security } of Object.values(paths).flatMap((path) =>
    Object.values(path),
  )) {
    const own = { 'requests.verify': ['422'], 'webhooks.flush': ['409'], 'worlds.create': ['507'] }[
      operationId
    ];
    const all = security === undefined ? ['400', '401', '403', '404', '413', ...(own ?? [])] : [];
    expect([operationId, Object.keys(responses).filter((status) => /^[45]/.test(status))]).toEqual([
      operationId,
      all.toSorted(),
    ]);
  }
});
