import { connect } from 'node:net';
import { createClient } from '@confab/client';
import { expect, test } from 'vitest';
import { createMock } from '../src/index.ts';
import { type ServeOptions, serve } from '../src/server/index.ts';

const PHONE = '+5511987654321';

const start = async (options: ServeOptions = {}) => {
  const mock = createMock({ strict: true });
  const server = await serve(mock, options);
  const control = async (
    method: string,
    name: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) => {
    const response = await fetch(`${server.url}/__mock/${name}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const answer = (await response.json()) as { data: unknown; error: string };
    return { status: response.status, ...answer };
  };
  return { mock, server, control, [Symbol.asyncDispose]: () => server.close() };
};

test('serve() picks a free port on loopback, and a client can use its URL', async () => {
  await using service = await start();
  expect(service.server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const confab = createClient({ baseUrl: service.server.url, apiKey: service.mock.apiKey });
  const lead = await confab.leads.create({ phone: PHONE });
  expect(service.mock.leads.get(lead.id)?.phone).toBe(PHONE);
});

test('close() ends connections that are open, requests that hang included', async () => {
  const { mock, server } = await start();
  mock.faults.once('agents.list', { network: 'hang' });
  const hanging = fetch(`${server.url}/api/v2/public/agents`, { headers: { 'x-api-key': mock.apiKey } });
  hanging.catch(() => {});
  await expect.poll(() => mock.requests.length).toBe(1);
  await server.close();
  await expect(hanging).rejects.toThrow();
  await expect(fetch(server.url)).rejects.toThrow();
});

test('a port that is taken rejects', async () => {
  await using service = await start();
  const port = Number(new URL(service.server.url).port);
  await expect(serve(createMock(), { port })).rejects.toThrow(/EADDRINUSE/);
});

test('HTTP (non-TLS) calls under a name that is not loopback are rejected, unless TLS ended at a proxy', async () => {
  await using service = await start();
  const { port } = new URL(service.server.url);
  const ask = (lines: readonly string[]) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), '127.0.0.1', () => {
        socket.end([...lines, 'connection: close', '', ''].join('\r\n'));
      });
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('end', () => resolve(text));
      socket.on('error', reject);
    });
  const key = `x-api-key: ${service.mock.apiKey}`;
  const plain = await ask(['GET /api/v2/public/agents HTTP/1.1', 'host: mock.example', key]);
  expect(plain).toContain('403');
  expect(plain).toContain('HTTPS_REQUIRED');
  const proxied = [
    'GET /api/v2/public/agents HTTP/1.1',
    'host: mock.example',
    'x-forwarded-proto: https',
    key,
  ];
  expect(await ask(proxied)).toContain('200 OK');
});

test('onRequest is told of each request once it is answered', async () => {
  const seen: unknown[] = [];
  await using service = await start({ onRequest: ({ operation, status }) => seen.push([operation, status]) });
  await fetch(`${service.server.url}/api/v2/public/agents`);
  expect(seen).toEqual([['agents.list', 401]]);
});

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
  await control('POST', 'faults', { clear: true });
  expect((await list()).status).toBe(200);
  expect((await control('GET', 'requests')).data).toHaveLength(5);

  await control('POST', 'reset');
  expect([mock.leads.count(), mock.requests.length]).toEqual([0, 0]);
});

test('/__mock says what is wrong with what it is asked', async () => {
  await using service = await start();
  const { control } = service;
  expect(await control('GET', 'nothing')).toMatchObject({
    status: 404,
    error: expect.stringContaining('GET state'),
  });
  for (const [name, body, says] of [
    ['clock', { advance: 'soon' }, 'body'],
    ['clock', { set: '1999-01-01T00:00:00Z' }, 'forward'],
    ['clock', 'no json', 'JSON'],
    ['faults', { operation: 'leads.remove', fault: {} }, 'leads.remove'],
    ['faults', { operation: '*', fault: { status: 9 } }, '9'],
    ['inbound', { body: 'Hi' }, 'phone'],
    ['inbound', { phone: 'none', body: 'Hi' }, 'E.164'],
  ] as const)
    expect(await control('POST', name, body)).toMatchObject({
      status: 400,
      error: expect.stringContaining(says),
    });
});

test('/__mock asks for the admin token if there is one, and is closed beyond loopback without one', async () => {
  await using guarded = await start({ adminToken: 'hush' });
  expect((await guarded.control('GET', 'state')).status).toBe(401);
  expect((await guarded.control('GET', 'state', undefined, { 'x-admin-token': 'wrong' })).status).toBe(401);
  expect((await guarded.control('GET', 'state', undefined, { 'x-admin-token': 'hush' })).status).toBe(200);
  expect((await guarded.control('GET', 'state', undefined, { authorization: 'Bearer hush' })).status).toBe(
    200,
  );

  await using exposed = await start({ host: '0.0.0.0' });
  expect(exposed.server.url).toMatch(/^http:\/\/127\.0\.0\.1:/);
  expect((await exposed.control('GET', 'state')).status).toBe(403);
  await using both = await start({ host: '0.0.0.0', adminToken: 'hush' });
  expect((await both.control('GET', 'state', undefined, { 'x-admin-token': 'hush' })).status).toBe(200);
});
