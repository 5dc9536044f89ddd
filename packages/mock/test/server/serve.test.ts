import { networkInterfaces } from 'node:os';
import { Readable } from 'node:stream';
import { eventually } from '@confab/internal/test-support';
import { expect, onTestFinished, test } from 'vitest';
import { createMock } from '../../src/index.ts';
import { serve } from '../../src/server/index.ts';
import { listen } from '../../src/server/serve.ts';
import { controlOf, makeWorld, sendRaw, start, statusOf } from '../support/serving.ts';

const hasIpv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
);

const PHONE = '+5511987654321';
const PAGE = 'http://localhost:5173';
const AGENTS = '/api/v2/public/agents';
const GET_AGENTS = [`GET ${AGENTS} HTTP/1.1`, 'host: 127.0.0.1'];

test('serve() listens on IPv6 too, and puts the address in brackets', { skip: !hasIpv6 }, async () => {
  for (const [host, address, path] of [
    // It is loopback too, where the control endpoints need no token.
    ['::1', '[::1]', '/__mock/state'],
    ['::', '127.0.0.1', '/openapi.json'],
  ] as const) {
    const { url } = (await start({ host })).server;
    expect(url).toBe(`http://${address}:${new URL(url).port}`);
    expect((await fetch(url + path)).status).toBe(200);
  }
});

test('close() ends open connections, including requests that hang', async () => {
  const { mock, server } = await start();
  mock.faults.once('agents.list', { network: 'hang' });
  const hanging = fetch(server.url + AGENTS, { headers: { 'x-api-key': mock.apiKey } });
  hanging.catch(() => {});
  await eventually(() => expect(mock.requests.length).toBe(1));
  await Promise.all([server.close(), server.close()]);
  await expect(hanging).rejects.toThrow();
  await expect(fetch(server.url)).rejects.toThrow();
});

test('serve() refuses a port in use and an address of a different machine, with a hint', async () => {
  const service = await start();
  const port = Number(new URL(service.server.url).port);
  for (const [options, message] of [
    [{ port }, `Port ${port} is in use. Choose a different one with \`port\`, or 0 for any free port.`],
    [
      { host: '203.0.113.1' },
      'This machine does not have the address "203.0.113.1". Check `host`, or leave it out for 127.0.0.1.',
    ],
  ] as const) {
    await expect(serve(createMock(), options)).rejects.toMatchObject({ code: 'CANNOT_LISTEN', message });
  }
});

test('without allowHttp, plain HTTP beyond loopback is refused, whatever a header says', async () => {
  const local = await start();
  const exposed = await start({ host: '0.0.0.0' });
  const proxied = ['host: mock.example', 'x-forwarded-proto: https'];
  const allowing = await start({ allowHttp: true });
  for (const [{ server, mock }, path, headers, says] of [
    [local, AGENTS, ['host: mock.example'], 'HTTPS_REQUIRED'],
    [local, AGENTS, ['host: 127.0.0.1.evil.example'], 'HTTPS_REQUIRED'],
    [local, AGENTS, proxied, 'HTTPS_REQUIRED'],
    [exposed, AGENTS, proxied, 'HTTPS_REQUIRED'],
    [allowing, AGENTS, ['host: mock:4010'], '200 OK'],
    [allowing, '/__mock/state', ['host: mock:4010'], '403 Forbidden'],
  ] as const) {
    const lines = [`GET ${path} HTTP/1.1`, ...headers, `x-api-key: ${mock.apiKey}`];
    expect([lines, await sendRaw(server.url, lines)]).toEqual([lines, expect.stringContaining(says)]);
  }
});

test('beyond loopback, a random key replaces the one from the seed, even after a reset', async () => {
  const mock = createMock();
  const options = mock.clientOptions;
  const { apiKey: seeded } = mock;
  const before = mock.snapshot();
  await using server = await serve(mock, { host: '0.0.0.0', adminToken: 'hush' });
  const { data } = await controlOf(server.url)('GET', 'info', undefined, { 'x-admin-token': 'hush' });
  expect(data).toMatchObject({ apiKey: mock.apiKey });
  expect(options.apiKey).toBe(mock.apiKey);
  for (const restore of [() => {}, () => mock.reset(), () => mock.restore(before)]) {
    restore();
    for (const [key, status] of [
      [seeded, 401],
      [mock.apiKey, 200],
    ] as const) {
      expect((await fetch(server.url + AGENTS, { headers: { 'x-api-key': key } })).status).toBe(status);
    }
  }
});

test('the base URL of a server and of a world responds with 200, for programs that wait for a server', async () => {
  const { server } = await start();
  const world = await makeWorld(server);
  for (const url of [server.url, `${server.url}/`, world.baseUrl]) {
    for (const method of ['GET', 'HEAD']) {
      const response = await fetch(url, { method });
      expect([url, response.status]).toEqual([url, 200]);
      const text = await response.text();
      expect(text).toContain(method === 'HEAD' ? '' : `begins at ${url.replace(/\/$/, '')}/api/v2/public.\n`);
    }
  }
});

test.each<[object, string]>([
  [{ prot: 4010 }, 'Unknown serve() option `prot`. Did you mean `port`?'],
  [{ host: ' ' }, '`host` must not be empty. Leave it out for 127.0.0.1, or pass 0.0.0.0 to listen'],
  [{ port: 65_536 }, '`port` must be a whole number from 0 to 65535, got 65536'],
  [{ allowHttp: 'yes' }, '`allowHttp` must be true or false, got "yes"'],
  [{ onRequest: 'log' }, '`onRequest` must be a function, got "log"'],
  [{ worldTtl: 0 }, '`worldTtl` must be a number of milliseconds greater than 0, got 0.'],
  [{ adminToken: ' ' }, '`adminToken` must not be empty. Is its environment variable set?'],
  [{ adminToken: 'hush\n' }, 'visible ASCII'],
  [{ adminToken: 'hush…' }, 'visible ASCII'],
  [{ tls: {} }, '`tls.cert` must be the PEM text of a file, not its path, got undefined'],
  [{ tls: { cert: './cert.pem', key: '' } }, '`tls.cert` must be the PEM text of a file, not its path'],
  [{ tls: { cret: '', key: '' } }, 'Unknown tls field `cret`. Did you mean `cert`?'],
  [{ cors: PAGE }, '`cors` must be true for every origin, or an array of origins, got "http'],
  [{ cors: [`${PAGE}/app?x=1`] }, `got "${PAGE}/app?x=1". Did you mean ${PAGE}?`],
  [{ cors: ['https://app.example:443'] }, 'Did you mean https://app.example?'],
  [{ cors: ['*'] }, 'every entry must be an origin, such as http://localhost:5173, got "*"'],
])('serve() refuses %j', async (options, says) => {
  const refusal = { code: 'INVALID_ARGUMENT', message: expect.stringContaining(says) };
  await expect(serve(createMock(), options)).rejects.toMatchObject(refusal);
});

test('GET /__mock/health returns 200 to every caller, even if all other control endpoints are closed', async () => {
  for (const options of [{}, { adminToken: 'hush' }, { host: '0.0.0.0' }]) {
    const service = await start(options);
    expect(await service.control('GET', 'health')).toMatchObject({ status: 200, data: { status: 'ok' } });
    const probe = await sendRaw(service.server.url, ['HEAD /__mock/health HTTP/1.1', 'host: mock.example']);
    expect(statusOf(probe)).toBe(200);
  }
});

test('an exception of onRequest becomes an uncaught exception of the process, after the response', async () => {
  const thrown: string[] = [];
  const others = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException').on('uncaughtException', ({ message }) => {
    thrown.push(message);
  });
  onTestFinished(() => {
    process.removeAllListeners('uncaughtException');
    for (const other of others) {
      process.on('uncaughtException', other);
    }
  });
  const fail = (message: string) => () => {
    throw new Error(message);
  };
  const server = await listen(createMock(), { onRequest: fail('request'), onNonApiRequest: fail('own') });
  onTestFinished(() => server.close());
  expect((await fetch(server.url + AGENTS)).status).toBe(401);
  expect((await fetch(`${server.url}/__mock/state`)).status).toBe(200);
  await eventually(() => expect(thrown).toEqual(['request', 'own']));
});

test('the server uses a path as sent: neither leading slashes nor an invalid host header change it', async () => {
  const { mock, server } = await start();
  for (const host of ['%', 'a b', '127.0.0.1:99999', '127.0.0.1/else?', 'else#', 'user@']) {
    await sendRaw(server.url, ['GET //api/v2/public/agents?limit=1 HTTP/1.1', `host: ${host}`]);
    const log = mock.requests.all.map(({ path, query, status }) => ({ path, query, status }));
    expect(log).toEqual([{ path: '//api/v2/public/agents', query: { limit: '1' }, status: 404 }]);
    mock.requests.clear();
  }
  // Clients send a complete URL to proxies.
  await sendRaw(server.url, ['GET http://localhost/api/v2/public/agents HTTP/1.1', 'host: 127.0.0.1']);
  await sendRaw(server.url, ['OPTIONS * HTTP/1.1', 'host: 127.0.0.1']);
  // Only the host in the `Host` header was checked.
  const info = await sendRaw(server.url, ['GET http://evil.test/__mock/info HTTP/1.1', 'host: 127.0.0.1']);
  expect(info).toContain('"baseUrl":"http://127.0.0.1"');
  expect(mock.requests.all).toMatchObject([
    { path: '/api/v2/public/agents', status: 401 },
    { method: 'OPTIONS', path: '/', status: 404 },
  ]);
});

test('a body in chunks is read even if a character spans two of them', async () => {
  const { mock, server } = await start();
  const bytes = Buffer.from(`{"phone":"${PHONE}","displayName":"é"}`);
  const body = Readable.toWeb(Readable.from([...bytes].map((byte) => Buffer.from([byte]))));
  const init = { method: 'POST', headers: { 'x-api-key': mock.apiKey }, body, duplex: 'half' };
  const response = await fetch(`${server.url}/api/v2/public/leads`, init as RequestInit);
  expect([response.status, mock.leads.count({ displayName: 'é' })]).toEqual([201, 1]);
});

test('statuses that have no body go out without one, and without a length', async () => {
  const { mock, server } = await start();
  for (const fault of [{ status: 204 }, { status: 304 }] as const) {
    mock.faults.once('agents.list', fault);
    const answer = await sendRaw(server.url, GET_AGENTS);
    expect([fault, statusOf(answer)]).toEqual([fault, fault.status]);
    expect(answer).not.toMatch(/content-length|transfer-encoding/i);
    expect(answer).toMatch(/\r\n\r\n$/);
  }
  mock.faults.once('agents.list', { status: 205 });
  expect(await sendRaw(server.url, GET_AGENTS)).toMatch(/^HTTP\/1\.1 205 .*\r\n\r\n(?:0\r\n\r\n)?$/s);
});

test('the server frames the body, whatever headers a fault has', async () => {
  const { mock, server } = await start();
  for (const headers of [
    { 'Content-Length': '7' },
    { 'transfer-encoding': 'chunked' },
    { 'Transfer-Encoding': 'gzip, chunked', 'content-length': '7' },
    { trailer: 'x-checksum' },
  ]) {
    mock.faults.once('agents.list', { body: 'Ünsound', headers: { ...headers, 'x-kept': 'yes' } });
    const answer = await sendRaw(server.url, GET_AGENTS);
    const [head = '', body] = answer.split('\r\n\r\n');
    expect([headers, statusOf(answer), body]).toEqual([headers, 200, 'Ünsound']);
    expect(head).toMatch(/^content-length: 8$/im);
    expect(head).not.toMatch(/^(?:transfer-encoding|trailer):/im);
    expect(head).toMatch(/^x-kept: yes$/im);
  }
  expect(mock.requests.all.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});
