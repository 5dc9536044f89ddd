import { networkInterfaces } from 'node:os';
import { createClient } from '@confab/client';
import { eventually } from '@confab/internal/test-support';
import { expect, test } from 'vitest';
import { createMock } from '../../src/index.ts';
import { serve } from '../../src/server/index.ts';
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

test('an empty host, which would mean every interface, is refused', async () => {
  for (const host of ['', ' ']) {
    await expect(serve(createMock(), { host })).rejects.toThrow(/^`host` must not be empty\. .* 0\.0\.0\.0/);
  }
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

test('HTTP (non-TLS) calls under a name that is not loopback are rejected, unless TLS ended at a proxy', async () => {
  await using service = await start();
  const key = `x-api-key: ${service.mock.apiKey}`;
  const plain = await ask(service.server.url, [
    'GET /api/v2/public/agents HTTP/1.1',
    'host: mock.example',
    key,
  ]);
  expect(plain).toContain('403');
  expect(plain).toContain('HTTPS_REQUIRED');
  const lookalike = ['GET /api/v2/public/agents HTTP/1.1', 'host: 127.0.0.1.evil.example', key];
  expect(await ask(service.server.url, lookalike)).toContain('HTTPS_REQUIRED');
  const proxied = [
    'GET /api/v2/public/agents HTTP/1.1',
    'host: mock.example',
    'x-forwarded-proto: https',
    key,
  ];
  await using reachable = await start({ host: '0.0.0.0' });
  expect(await ask(reachable.server.url, proxied)).toContain('200 OK');
});

test('on loopback, no header makes plain HTTP under another name secure, because a page could send it', async () => {
  await using service = await start();
  const rebound = [
    'GET /api/v2/public/leads HTTP/1.1',
    `host: evil.example:${new URL(service.server.url).port}`,
    'x-forwarded-proto: https',
    `x-api-key: ${service.mock.apiKey}`,
  ];
  expect(await ask(service.server.url, rebound)).toContain('HTTPS_REQUIRED');
});

test('allowHttp accepts plain HTTP under any name, but opens no control endpoint', async () => {
  await using service = await start({ allowHttp: true });
  const lines = ['host: mock:4010', `x-api-key: ${service.mock.apiKey}`];
  expect(statusOf(await ask(service.server.url, ['GET /api/v2/public/agents HTTP/1.1', ...lines]))).toBe(200);
  expect(statusOf(await ask(service.server.url, ['GET /__mock/state HTTP/1.1', ...lines]))).toBe(403);
  await expect(serve(createMock(), { allowHttp: 'yes' as unknown as boolean })).rejects.toThrow(
    '`allowHttp` must be true or false, got a string',
  );
});

test('onRequest is called for each request after its response', async () => {
  const seen: unknown[] = [];
  await using service = await start({ onRequest: ({ operation, status }) => seen.push([operation, status]) });
  await fetch(`${service.server.url}/api/v2/public/agents`);
  expect(seen).toEqual([['agents.list', 401]]);
});

test('a failing onRequest does not change the response, and the process gets the error', async () => {
  const fault = new Error('The listener failed');
  const uncaught = new Promise((resolve) => {
    const others = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    process.once('uncaughtException', (error) => {
      for (const other of others) {
        process.on('uncaughtException', other);
      }
      resolve(error);
    });
  });
  await using service = await start({
    onRequest: () => {
      throw fault;
    },
  });
  const response = await fetch(`${service.server.url}/api/v2/public/agents`);
  expect([response.status, service.mock.requests.all[0]?.status]).toEqual([401, 401]);
  expect(await uncaught).toBe(fault);
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

test('a body in chunks is read', async () => {
  await using service = await start();
  const { mock, server } = service;
  const body = new Blob([`{"phone":"${PHONE}"}`]).stream();
  const init = { method: 'POST', headers: { 'x-api-key': mock.apiKey }, body, duplex: 'half' };
  const response = await fetch(`${server.url}/api/v2/public/leads`, init);
  expect([response.status, mock.leads.count({ phone: PHONE })]).toEqual([201, 1]);
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
