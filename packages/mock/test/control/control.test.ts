import { expect, onTestFinished, test } from 'vitest';
import { CONTROLS } from '../../src/control/table.ts';
import { createMock } from '../../src/index.ts';
import { serve } from '../../src/server/index.ts';
import { start } from '../support/serving.ts';

const PHONE = '+5511987654321';

test('/__mock drives the mock: inbound, state, requests, deliveries, clock, faults, reset', async () => {
  await using service = await start();
  const { mock, server, control } = service;
  mock.webhooks.add({
    url: 'https://receiver.test',
    secret: 'whsec_0123456789',
    fetch: () => new Response(null, { status: 204 }),
  });
  const inbound = await control('POST', 'inbound', { phone: PHONE, body: 'Hello' });
  expect([inbound.status, inbound.data]).toEqual([
    200,
    expect.objectContaining({ message: expect.any(Object) }),
  ]);
  expect((await control('GET', 'state')).data).toEqual(mock.dump());
  await mock.webhooks.flush();
  expect((await control('GET', 'deliveries')).data).toMatchObject([
    { event: 'message.created', state: 'delivered' },
  ]);

  const before = mock.clock.now();
  expect((await control('POST', 'clock', { advance: 5_000 })).data).toEqual({
    now: new Date(before + 5_000).toISOString(),
  });
  await control('POST', 'clock', { set: '2027-01-01T00:00:00Z' });
  expect(mock.clock.now()).toBe(Date.parse('2027-01-01T00:00:00Z'));

  const list = () => fetch(`${server.url}/api/v2/public/agents`, { headers: { 'x-api-key': mock.apiKey } });
  await control('POST', 'faults', { operation: 'agents.list', fault: { status: 503 } });
  expect([(await list()).status, (await list()).status]).toEqual([503, 200]);
  await control('POST', 'faults', { operation: '*', fault: { status: 500 }, once: false });
  expect([(await list()).status, (await list()).status]).toEqual([500, 500]);
  await control('DELETE', 'faults');
  expect((await list()).status).toBe(200);
  expect((await control('GET', 'requests')).data).toHaveLength(5);

  await control('POST', 'reset');
  expect([mock.leads.count(), mock.requests.length]).toEqual([0, 0]);
});

test('/__mock/reset restores the state in which the server started, including earlier changes to the mock', async () => {
  const mock = createMock();
  const { key } = mock.keys.create({ scopes: ['read:agents'] });
  mock.keys.revoke(mock.apiKey);
  mock.faults.always('leads.list', { status: 503 });
  const taken: string[] = [];
  mock.webhooks.add({
    url: 'https://receiver.test',
    secret: 'whsec_0123456789',
    fetch: async (request) => {
      taken.push(await request.text());
      return new Response();
    },
  });
  mock.leads.create({ phone: PHONE });
  const server = await serve(mock);
  onTestFinished(() => server.close());
  const post = (name: string, body?: string) =>
    fetch(`${server.url}/__mock/${name}`, { method: 'POST', ...(body === undefined ? {} : { body }) });
  const get = async (path: string) =>
    (await fetch(`${server.url}/api/v2/public/${path}`, { headers: { 'x-api-key': key } })).status;

  await fetch(`${server.url}/__mock/faults`, { method: 'DELETE' });
  mock.keys.revoke(key);
  mock.leads.delete(mock.leads.find()[0]?.id ?? '');
  expect([await get('agents'), await get('leads')]).toEqual([401, 401]);
  await post('reset');
  expect([await get('agents'), await get('leads'), mock.leads.count()]).toEqual([200, 503, 1]);
  await post('inbound', `{"phone":"${PHONE}","body":"Hello"}`);
  await mock.webhooks.flush();
  expect(taken).toEqual([expect.stringContaining('Hello')]);

  mock.reset();
  expect([await get('agents'), mock.leads.count()]).toEqual([401, 0]);
});

test('/__mock names the invalid field of a request', async () => {
  await using service = await start();
  const { control } = service;
  expect(await control('GET', 'nothing')).toMatchObject({
    status: 404,
    error: expect.stringContaining('GET /__mock/ lists all control endpoints'),
  });
  for (const [name, body, says] of [
    ['clock', { advance: 'soon' }, 'body.advance must be a number, got "soon"'],
    ['clock', { set: 5 }, 'body.set must be a string, got 5'],
    [
      'clock',
      { set: '2030-01-01T00:00:00Z', advance: 1 },
      'body must have either `advance` (milliseconds) or `set` (a date), got both',
    ],
    ['clock', {}, 'body must have either `advance` (milliseconds) or `set` (a date), got neither'],
    ['clock', { set: '1999-01-01T00:00:00Z' }, 'forward'],
    ['clock', [5], 'body must'],
    ['clock', 'no json', 'JSON'],
    ['faults', { operation: 'leads.remove', fault: {} }, 'leads.remove'],
    ['faults', { operation: '*', fault: { status: '503' } }, 'body.fault.status must be'],
    [
      'faults',
      { operation: '*', fault: { headers: { 'retry-after': 1 } } },
      'body.fault.headers.retry-after must be',
    ],
    [
      'faults',
      { operation: '*', fault: { network: 'slow' } },
      'body.fault.network must be one of "error", "hang"',
    ],
    ['faults', { operation: '*', fault: { colour: 'red' } }, 'body.fault has unknown fields: colour'],
    ['faults', { operation: '*', fault: { statu: 503 } }, 'unknown fields: statu. Did you mean status?'],
    ['faults', { operation: '*', fault: {}, onse: true }, 'unknown fields: onse. Did you mean once?'],
    ['faults', { operation: 'leads.creat', fault: {} }, 'Did you mean "leads.create"?'],
    ['inbound', { phon: PHONE, body: 'Hi' }, 'Did you mean phone?'],
    ['faults', { operation: '*', fault: { status: 9 } }, '9'],
    ['faults', { operation: '*', fault: {}, once: 'no' }, 'body.once must be a boolean'],
    ['faults', { clear: true }, 'body has unknown fields: clear'],
    ['reset', { rows: true }, 'POST /__mock/reset must be called without a body'],
    ['faults', { operation: '*', fault: {} }, 'A fault must have at least one of `status`, '],
    ['faults', { operation: 'leads.ensure', fault: { status: 503 } }, 'Did you mean "leads.create"?'],
    ['faults', { operation: '*' }, 'body.fault is required'],
    ['faults', 5, 'body must be an object, got 5'],
    ['inbound', { body: 'Hi' }, 'phone'],
    ['inbound', { phone: PHONE }, 'body.body is required'],
    ['inbound', { phone: 'none', body: 'Hi' }, 'E.164'],
  ] as const) {
    expect([name, body, await control('POST', name, body)]).toMatchObject([
      name,
      body,
      { status: 400, code: 'INVALID_PARAMETERS', error: expect.stringContaining(says) },
    ]);
  }
});

test('/__mock reads bodies of 1 MiB, and refuses larger ones as the API does', async () => {
  await using service = await start();
  const { mock, server, control } = service;
  const padded = (bytes: number) => '{"status":200}'.padEnd(bytes);
  expect((await control('POST', 'requests/count', padded(1024 * 1024))).status).toBe(200);
  const refused = await control('POST', 'requests/count', padded(1024 * 1024 + 1));
  expect(refused).toMatchObject({ status: 413, code: 'PAYLOAD_TOO_LARGE' });
  const api = await fetch(`${server.url}/api/v2/public/leads`, {
    method: 'POST',
    headers: { 'x-api-key': mock.apiKey },
    body: padded(1024 * 1024 + 1),
  });
  expect(api.status).toBe(413);
  expect(await api.json()).toEqual({ success: false, error: refused.error, code: refused.code });
});

test('GET /__mock/ lists the control endpoints, and each one exists', async () => {
  await using service = await start();
  const { server, control } = service;
  const { status, data } = await control('GET', '');
  const { endpoints } = data as { endpoints: { method: string; path: string; description: string }[] };
  expect(status).toBe(200);
  expect(endpoints.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /__mock/health',
    'GET /__mock/',
    'GET /__mock/openapi.json',
    'GET /__mock/api.json',
    'GET /__mock/events',
    ...CONTROLS.slice(5).map(({ method, path }) => `${method} /__mock/${path}`),
  ]);
  for (const { method, path, description } of endpoints.filter((each) => !each.path.endsWith('/events'))) {
    expect(description).toMatch(/^[A-Z].*\.$/);
    const answer = (await (await fetch(server.url + path, { method })).json()) as { error?: string };
    expect(answer.error ?? '').not.toContain('Unknown control endpoint');
  }
  expect((await fetch(`${server.url}/__mock`)).status).toBe(200);
});

test('the list of control endpoints needs the admin token', async () => {
  await using service = await start({ adminToken: 'hush' });
  expect((await service.control('GET', '')).status).toBe(401);
});

test.each([
  ['DELETE', 'rows/leads', '/__mock/rows/leads must be called with GET or POST, got DELETE.'],
  ['GET', 'rows/lead', 'Did you mean /__mock/rows/leads?'],
  ['GET', 'rows/lead/some-id', 'Did you mean /__mock/rows/leads/some-id?'],
  ['GET', 'snapshots/a%/b', 'Unknown control endpoint GET /__mock/snapshots/a%/b.'],
  ['GET', 'stat', 'Unknown control endpoint GET /__mock/stat. Did you mean /__mock/state?'],
  ['GET', 'heath', 'Did you mean /__mock/health?'],
  ['POST', 'faults/', 'Unknown control endpoint POST /__mock/faults/. Did you mean /__mock/faults? GET'],
  ['DELETE', 'rows/leads/', 'Did you mean /__mock/rows/leads? GET'],
  ['POST', 'deliveries//redeliver', 'Unknown control endpoint POST /__mock/deliveries//redeliver. GET'],
  ['PUT', 'state', '/__mock/state must be called with GET, got PUT.'],
  ['GET', 'reset', '/__mock/reset must be called with POST, got GET.'],
  ['POST', 'health', '/__mock/health must be called with GET, got POST.'],
  ['POST', '', '/__mock/ must be called with GET, got POST.'],
  ['GET', 'quite-something-else', '/__mock/quite-something-else. GET /__mock/ lists'],
])('%s /__mock/%s is a 404 that says where the endpoints are listed', async (method, name, says) => {
  await using service = await start();
  const { status, error } = await service.control(method, name);
  expect([status, error]).toEqual([404, expect.stringContaining(says)]);
  expect(error).toContain('GET /__mock/ lists all control endpoints.');
});
