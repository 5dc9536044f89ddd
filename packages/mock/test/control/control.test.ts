import { listen } from '@confab/internal/test-support';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { ENDPOINTS } from '../../src/control/endpoints.ts';
import { createMock } from '../../src/index.ts';
import { serve } from '../../src/server/index.ts';
import { checkDocumented } from '../support/documented.ts';
import { keeper } from '../support/receiver.ts';
import { start, startForFile } from '../support/serving.ts';

const PHONE = '+5511987654321';
const SECRET = `whsec_${btoa('0123456789abcdef0123456789abcdef')}`;
const ENDPOINT = { url: 'http://127.0.0.1:9/', secret: SECRET, retries: [] };

test('/__mock/reset restores the state in which the server started, and mock.reset() the initial state', async () => {
  const mock = createMock();
  const { key } = mock.keys.create({ scopes: ['read:agents'] });
  mock.faults.always('leads.list', { status: 503 });
  mock.leads.create({ phone: PHONE });
  mock.webhooks.add(ENDPOINT);
  const server = await serve(mock);
  onTestFinished(() => server.close());
  const get = async (path: string) =>
    (await fetch(`${server.url}/api/v2/public/${path}`, { headers: { 'x-api-key': key } })).status;

  mock.faults.clear();
  mock.keys.revoke(key);
  mock.leads.delete(mock.leads.find()[0]?.id ?? '');
  mock.webhooks.remove(mock.webhooks.endpoints[0]?.id ?? '');
  await fetch(`${server.url}/__mock/reset`, { method: 'POST' });
  expect([await get('agents'), await get('leads')]).toEqual([200, 503]);
  expect([mock.leads.count(), mock.webhooks.endpoints.length]).toEqual([1, 1]);
  mock.reset();
  expect([await get('agents'), mock.leads.count(), mock.webhooks.endpoints]).toEqual([401, 0, []]);
});

test.each(['keys', 'rows/leads'])('POST /__mock/%s without a body reads an empty object', async (path) => {
  const { server } = await start();
  expect((await fetch(`${server.url}/__mock/${path}`, { method: 'POST' })).status).toBe(201);
});

test('a control request returns 500 for a bug in the mock', async () => {
  const { mock, server } = await start();
  mock.dump = () => {
    throw new TypeError('a bug');
  };
  expect((await fetch(`${server.url}/__mock/state`)).status).toBe(500);
});

const shared = await startForFile();
afterAll(() => shared.server.close());

test.each<[request: string, body: unknown, says: string]>([
  [
    'POST clock',
    { advance: 'soon' },
    'must be called with a number of milliseconds of at least 0, got "soon".',
  ],
  ['POST clock', { set: '2030-01-01T00:00:00Z', advance: 1 }, '`set` (a date), got both'],
  ['POST clock', {}, 'body must have either `advance` (milliseconds) or `set` (a date), got neither'],
  ['POST clock', { advance: null }, 'got neither'],
  ['POST clock', { set: null }, 'got neither'],
  ['POST clock', { advace: 5 }, 'Did you mean `advance`?'],
  ['POST clock', [5], 'body must be a JSON object, got an array'],
  ['POST clock', 'no json', 'JSON'],
  ['POST faults', { operation: '*' }, '`fault` must be an object, got undefined'],
  ['POST faults', { operation: '*', fault: {}, onse: true }, 'Did you mean `once`?'],
  ['POST inbound', { phon: PHONE, body: 'Hi' }, 'Did you mean `phone`?'],
  ['POST reset', { rows: true }, 'POST /__mock/reset must be called without a body'],
  ['GET rows/leads?statu=new', undefined, 'Did you mean `status`?'],
  ['GET rows/leads?where=new', undefined, 'query.where is not valid JSON'],
  ['GET requests?operaton=x', undefined, 'Did you mean `operation`?'],
  ['GET requests?status=4xx', undefined, '`status` must be a whole number, such as 429, got "4xx"'],
  ['GET requests?status=401&status=403', undefined, 'query.status must be given once'],
  ['GET deliveries?state=', undefined, '`state` must be one of "pending", "delivered", "failed", got "".'],
  ['POST webhooks/flush?timeoutMs=0', undefined, '`timeoutMs` must be a whole number from 1 to 300000'],
  ['POST keys/revoke', { kye: 'x' }, 'Did you mean `key`?'],
  ['POST webhooks/endpoints', { ...ENDPOINT, signature: 'svix' }, 'or "standard-webhooks"'],
  ['POST worlds', { baseUrl: 'https://a.test' }, 'leave `baseUrl` out'],
])('%s %j returns 400, and the error says why', async (request, body, says) => {
  const [method = '', name = ''] = request.split(' ');
  const { status, error, code } = await shared.control(method, name, body);
  expect([status, error, code]).toEqual([400, expect.stringContaining(says), 'INVALID_PARAMETERS']);
});

test.each([
  ['DELETE', 'rows/leads', '/__mock/rows/leads must be called with GET or POST, got DELETE.'],
  ['GET', 'rows/lead/some-id', 'Did you mean /__mock/rows/leads/some-id?'],
  ['GET', 'snapshots/a%/b', 'Unknown control endpoint GET /__mock/snapshots/a%/b.'],
  ['GET', 'rest', 'Unknown control endpoint GET /__mock/rest. GET'],
  ['POST', 'rest', 'Did you mean /__mock/reset?'],
  ['POST', 'faults/', 'Unknown control endpoint POST /__mock/faults/. Did you mean /__mock/faults? GET'],
  ['POST', 'deliveries//redeliver', 'Unknown control endpoint POST /__mock/deliveries//redeliver. GET'],
  ['POST', '', '/__mock/ must be called with GET, got POST.'],
])('%s /__mock/%s returns a 404 that says where the endpoints are listed', async (method, name, says) => {
  const { status, error } = await shared.control(method, name);
  expect([status, error]).toEqual([404, expect.stringContaining(says)]);
  expect(error).toContain('GET /__mock/ lists all control endpoints.');
});

test('GET /__mock/ lists the control endpoints, and each one exists', async () => {
  const { server, control } = await start();
  const { called, problems, end } = await checkDocumented(server.url);
  onTestFinished(end);
  const { status, data } = await control('GET', '');
  const { endpoints } = data as { endpoints: { method: string; path: string; description: string }[] };
  expect(status).toBe(200);
  expect(endpoints).toHaveLength(ENDPOINTS.length);
  for (const { method, path, description } of endpoints.filter((each) => !each.path.endsWith('/events'))) {
    expect(description).toMatch(/^[A-Z].*\.$/);
    const answer = (await (await fetch(server.url + path, { method })).json()) as { error?: string };
    expect(answer.error ?? '').not.toContain('Unknown control endpoint');
  }
  // For the validator, a path without its last slash is a different path.
  const ids = ENDPOINTS.map(({ operationId }) => operationId).filter(
    (id) => !['index', 'events'].includes(id),
  );
  expect([problems, called]).toEqual([[], new Set(ids)]);
  expect((await fetch(`${server.url}/__mock`)).status).toBe(200);
});

test('GET /__mock/rows selects rows by value, by null and by part of any text', async () => {
  const { mock, control } = await start();
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

test('a server keeps at most 100 snapshots of a mock', async () => {
  const { control } = await start();
  for (let at = 0; at < 100; at += 1) {
    expect((await control('POST', 'snapshots')).status).toBe(201);
  }
  const { status, error } = await control('POST', 'snapshots');
  expect(status).toBe(400);
  expect(error).toContain('already keeps 100 snapshots of this mock. Delete one first');
});

test('an endpoint can name the scheme Standard Webhooks, and its deliveries have the headers of that scheme', async () => {
  const { mock, control } = await start();
  const url = await listen((_, outgoing) => void outgoing.end());
  await control('POST', 'webhooks/endpoints', { ...ENDPOINT, url, signature: 'standard-webhooks' });
  const { data } = await control('GET', 'webhooks/endpoints');
  expect(data).toMatchObject([{ url, signature: 'standardWebhooks()' }]);
  await control('POST', 'webhooks/emit', { event: 'order.paid', data: { id: 7 } });
  await control('POST', 'webhooks/flush');
  const [{ state, attempts } = {}] = mock.webhooks.deliveries;
  expect([state, attempts?.[0]?.signature?.['webhook-signature']]).toEqual([
    'delivered',
    expect.stringMatching(/^v1,/),
  ]);
});

test('moving the system clock is refused, and the message says how to get a virtual clock', async () => {
  const service = await start({}, { clock: 'system' });
  const { status, error } = await service.control('POST', 'clock', { advance: 5 });
  expect(status).toBe(400);
  expect(error).toContain('Start it with --clock virtual, or create a world with {"clock":"virtual"}.');
});

test('all control operations need the admin token, reads included', async () => {
  const service = await start({ adminToken: 'hush' });
  for (const { method, path } of ENDPOINTS.filter(({ path }) => path !== 'health')) {
    const response = await fetch(`${service.server.url}/__mock/${path}`, { method });
    expect([path, response.status]).toEqual([path, 401]);
  }
});

test('the OpenAPI document of the control endpoints describes every refusal', async () => {
  const { mock, server, control } = await start();
  const { problems, end } = await checkDocumented(server.url);
  onTestFinished(end);
  mock.webhooks.add({ url: 'https://receiver.test', secret: 'secret', fetch: () => new Promise(() => {}) });
  mock.webhooks.emit('x', {});
  for (const [method, path, body, status] of [
    ['GET', 'requests?limt=5', undefined, 400],
    ['GET', 'rows/leads/none', undefined, 404],
    ['POST', 'keys', { key: 'x'.repeat(1_100_000) }, 413],
    ['POST', 'requests/verify', { operation: 'leads.create' }, 422],
    ['POST', 'worlds', { rateLimit: 'low' }, 400],
    ['POST', 'webhooks/flush?timeoutMs=5', undefined, 409],
  ] as const) {
    expect([path, (await control(method, path, body)).status]).toEqual([path, status]);
  }
  expect(problems).toEqual([]);

  const { paths } = (await (await fetch(`${server.url}/__mock/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { operationId: string; responses: object; security?: object }>>;
  };
  const own = new Map([['requests.verify', '422'] as const, ['webhooks.flush', '409']]);
  for (const { operationId, responses, security } of Object.values(paths).flatMap(Object.values)) {
    const all =
      security === undefined ? ['400', '401', '403', '404', '413', own.get(operationId) ?? []].flat() : [];
    const described = Object.keys(responses).filter((status) => /^[45]/.test(status));
    expect([operationId, described]).toEqual([operationId, all.toSorted()]);
  }
});

test('GET /__mock/deliveries is filtered and paged', async () => {
  const { mock, control } = await start();
  mock.webhooks.add(keeper().endpoint);
  for (const event of ['a', 'b', 'b', 'b']) {
    mock.webhooks.emit(event, {});
  }
  await mock.webhooks.flush();
  const page = await control('GET', 'deliveries?event=b&state=delivered&limit=2&offset=2');
  expect(page).toMatchObject({ data: [{ event: 'b' }], meta: { total: 3, limit: 2, offset: 2 } });
  expect(await control('GET', 'deliveries?state=pending')).toMatchObject({ data: [], meta: { total: 0 } });
  const hint = 'No delivery has the event "message.create" yet. Known: message.created, a, b.';
  const none = { status: 200, data: [], meta: { total: 0, hint } };
  expect(await control('GET', 'deliveries?event=message.create')).toMatchObject(none);
  for (const event of ['message.created', 'b']) {
    expect(await control('GET', `deliveries?event=${event}`)).not.toHaveProperty('meta.hint');
  }
});
