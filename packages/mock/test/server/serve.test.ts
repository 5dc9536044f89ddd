import { ServerResponse } from 'node:http';
import { networkInterfaces } from 'node:os';
import { Readable } from 'node:stream';
import { createClient } from '@confab/client';
import { eventually } from '@confab/internal/test-support';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createMock } from '../../src/index.ts';
import { serve } from '../../src/server/index.ts';
import { listen } from '../../src/server/serve.ts';
import { ask, start, statusOf } from '../support/serving.ts';

const hasIpv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
);

const PHONE = '+5511987654321';

test('serve() picks a free port on loopback, and a client can use its URL', async () => {
  await using service = await start();
  expect(service.server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const confab = createClient({ baseUrl: service.server.url, apiKey: service.mock.apiKey });
  const lead = await confab.leads.create({ phone: PHONE });
  expect(service.mock.leads.get(lead.id)?.phone).toBe(PHONE);
});

test('serve() listens on IPv6 too, and names it as URLs do', { skip: !hasIpv6 }, async () => {
  await using six = await start({ host: '::1' });
  expect(six.server.url).toMatch(/^http:\/\/\[::1\]:\d+$/);
  expect((await six.control('GET', 'state')).status).toBe(200);
  await using everywhere = await start({ host: '::' });
  expect(everywhere.server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect((await fetch(`${everywhere.server.url}/openapi.json`)).status).toBe(200);
});

test('close() ends open connections, including requests that hang', async () => {
  const { mock, server } = await start();
  mock.faults.once('agents.list', { network: 'hang' });
  const hanging = fetch(`${server.url}/api/v2/public/agents`, { headers: { 'x-api-key': mock.apiKey } });
  hanging.catch(() => {});
  await eventually(() => expect(mock.requests.length).toBe(1));
  await server.close();
  await expect(hanging).rejects.toThrow();
  await expect(fetch(server.url)).rejects.toThrow();
});

test('close() can be called again, and later requests are not reported', async () => {
  const seen: unknown[] = [];
  const { mock, server } = await start({ onRequest: ({ operation }) => seen.push(operation) });
  await Promise.all([server.close(), server.close()]);
  await server.close();
  await mock.fetch(`${mock.baseUrl}/api/v2/public/agents`);
  expect([mock.requests.length, seen]).toEqual([1, []]);
});

test('a port in use and an address of another machine are refused with what to do', async () => {
  await using service = await start();
  const port = Number(new URL(service.server.url).port);
  const cause = expect.any(Error);
  await expect(serve(createMock(), { port })).rejects.toMatchObject({
    name: 'MockError',
    code: 'CANNOT_LISTEN',
    message: `Port ${port} is in use. Choose another one with \`port\`, or 0 for any free port.`,
    cause,
  });
  await expect(serve(createMock(), { host: '203.0.113.1' })).rejects.toMatchObject({
    code: 'CANNOT_LISTEN',
    message:
      'This machine does not have the address "203.0.113.1". Check `host`, or leave it out for 127.0.0.1.',
    cause,
  });
});

test('plain HTTP under a name that is not loopback is refused, unless TLS ended at a proxy', async () => {
  await using local = await start();
  await using exposed = await start({ host: '0.0.0.0' });
  const proxied = ['host: mock.example', 'x-forwarded-proto: https'];
  for (const [{ server, mock }, headers, says] of [
    [local, ['host: mock.example'], 'HTTPS_REQUIRED'],
    [local, ['host: 127.0.0.1.evil.example'], 'HTTPS_REQUIRED'],
    // On loopback, a page could send the header.
    [local, proxied, 'HTTPS_REQUIRED'],
    [exposed, proxied, '200 OK'],
  ] as const) {
    const key = `x-api-key: ${mock.apiKey}`;
    expect(await ask(server.url, ['GET /api/v2/public/agents HTTP/1.1', ...headers, key])).toContain(says);
  }
});

test('allowHttp accepts plain HTTP under any name, but opens no control endpoint', async () => {
  await using service = await start({ allowHttp: true });
  const lines = ['host: mock:4010', `x-api-key: ${service.mock.apiKey}`];
  expect(statusOf(await ask(service.server.url, ['GET /api/v2/public/agents HTTP/1.1', ...lines]))).toBe(200);
  expect(statusOf(await ask(service.server.url, ['GET /__mock/state HTTP/1.1', ...lines]))).toBe(403);
});

test.each<[object, string]>([
  [{ host: '' }, '`host` must not be empty. Leave it out for 127.0.0.1, or pass 0.0.0.0 to listen'],
  [{ host: ' ' }, '`host` must not be empty.'],
  [{ host: 5 }, '`host` must be a host name or an IP address, got 5'],
  [{ port: 65_536 }, '`port` must be a whole number from 0 to 65535, got 65536'],
  [
    { port: 6000 },
    '`port` must not be 6000: `fetch` and browsers refuse to connect to it. Choose another one.',
  ],
  [{ allowHttp: 'yes' }, '`allowHttp` must be true or false, got a string'],
  [{ adminToken: 5 }, '`adminToken` must be a string, got a number'],
  [{ onRequest: 'log' }, '`onRequest` must be a function, got a string'],
  [{ worldTtl: 0 }, '`worldTtl` must be milliseconds (more than 0), got 0'],
  [{ worldTtl: Number.NaN }, '`worldTtl` must be milliseconds (more than 0), got NaN'],
  [{ maxWorldBytes: '5' }, '`maxWorldBytes` must be bytes (more than 0), got "5"'],
])('serve() refuses %j', async (options, says) => {
  await expect(serve(createMock(), options)).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    message: expect.stringContaining(says),
  });
});

test('listeners are called after the response, and what they throw reaches the process alone', async () => {
  const order: string[] = [];
  const { end } = ServerResponse.prototype;
  const spy = vi.spyOn(ServerResponse.prototype, 'end').mockImplementation(function (
    this: ServerResponse,
    ...args
  ) {
    order.push('answered');
    return Reflect.apply(end, this, args) as ServerResponse;
  });
  const others = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  process.on('uncaughtException', (error) => void order.push(error.message));
  onTestFinished(() => {
    spy.mockRestore();
    process.removeAllListeners('uncaughtException');
    for (const other of others) {
      process.on('uncaughtException', other);
    }
  });
  const fail = (message: string) => () => {
    throw new Error(message);
  };
  const server = await listen(createMock(), { onRequest: fail('request'), onOwnRequest: fail('own') });
  onTestFinished(() => server.close());
  expect((await fetch(`${server.url}/api/v2/public/agents`)).status).toBe(401);
  await eventually(() => expect(order).toEqual(['answered', 'request']));
  expect((await fetch(`${server.url}/__mock/state`)).status).toBe(200);
  await eventually(() => expect(order).toEqual(['answered', 'request', 'answered', 'own']));
});

test('a path is used as it was sent: two slashes at its start do not name a host', async () => {
  await using service = await start();
  const { mock, server } = service;
  const answer = await ask(server.url, [
    'GET //api/v2/public/agents HTTP/1.1',
    'host: 127.0.0.1',
    `x-api-key: ${mock.apiKey}`,
  ]);
  expect(statusOf(answer)).toBe(404);
  expect(mock.requests.all).toMatchObject([{ path: '//api/v2/public/agents', status: 404 }]);
});

test('an invalid host header does not change the path', async () => {
  await using service = await start();
  const { mock, server } = service;
  const hosts = ['%', 'a b', '127.0.0.1:99999', '127.0.0.1/else?', 'else#', 'user@'];
  for (const host of hosts) {
    await ask(server.url, ['GET /api/v2/public/agents?limit=1 HTTP/1.1', `host: ${host}`]);
  }
  expect(mock.requests.all.map(({ path, query, status }) => ({ path, query, status }))).toEqual(
    hosts.map(() => ({ path: '/api/v2/public/agents', query: { limit: '1' }, status: 401 })),
  );
});

test('a target that is a whole URL, as clients send it to proxies, is understood', async () => {
  await using service = await start();
  const { mock, server } = service;
  await ask(server.url, ['GET http://localhost/api/v2/public/agents HTTP/1.1', 'host: 127.0.0.1']);
  await ask(server.url, ['OPTIONS * HTTP/1.1', 'host: 127.0.0.1']);
  expect(mock.requests.all).toMatchObject([
    { path: '/api/v2/public/agents', status: 401 },
    { method: 'OPTIONS', path: '/', status: 404 },
  ]);
});

test('a body in chunks is read, also where two of them share a character', async () => {
  await using service = await start();
  const { mock, server } = service;
  const bytes = Buffer.from(`{"phone":"${PHONE}","displayName":"é"}`);
  const body = Readable.toWeb(Readable.from([...bytes].map((byte) => Buffer.from([byte]))));
  const init = { method: 'POST', headers: { 'x-api-key': mock.apiKey }, body, duplex: 'half' };
  const response = await fetch(`${server.url}/api/v2/public/leads`, init as RequestInit);
  expect([response.status, mock.leads.count({ displayName: 'é' })]).toEqual([201, 1]);
});

test('a response does not wait for a caller that has disconnected', async () => {
  await using service = await start({}, { clock: 'system' });
  const { mock, server } = service;
  const arrived = new Promise<void>((resolve) => {
    mock.faults.once('agents.list', () => {
      resolve();
      return { delayMs: 3_600_000 };
    });
  });
  const gone = new AbortController();
  const call = fetch(`${server.url}/api/v2/public/agents`, { signal: gone.signal });
  await arrived;
  gone.abort();
  await expect(call).rejects.toThrow();
  await eventually(() => expect(mock.requests.of('agents.list')).toMatchObject([{ status: undefined }]));
});
