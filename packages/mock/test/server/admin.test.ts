import { expect, test } from 'vitest';
import { createMock } from '../../src/index.ts';
import { checkAdmin } from '../../src/server/admin.ts';
import { serve } from '../../src/server/index.ts';
import { ask, start, statusOf } from '../support/serving.ts';

test('/__mock requires the admin token when one is set', async () => {
  await using guarded = await start({ adminToken: 'hush' });
  const look = async (headers?: Record<string, string>) =>
    (await guarded.control('GET', 'state', undefined, headers)).status;
  expect(await look()).toBe(401);
  expect(await look({ 'x-admin-token': '' })).toBe(401);
  expect(await look({ 'x-admin-token': 'wrong' })).toBe(401);
  expect(await look({ authorization: 'Bearer wrong' })).toBe(401);
  expect(await look({ 'x-admin-token': 'hush' })).toBe(200);
  expect(await look({ authorization: 'Bearer hush' })).toBe(200);
});

test('/__mock is closed beyond loopback without a token, and open with one', async () => {
  await using exposed = await start({ host: '0.0.0.0' });
  expect(exposed.server.url).toMatch(/^http:\/\/127\.0\.0\.1:/);
  expect((await exposed.control('GET', 'state')).status).toBe(403);
  await using both = await start({ host: '0.0.0.0', adminToken: 'hush' });
  expect((await both.control('GET', 'state')).status).toBe(401);
  expect((await both.control('GET', 'state', undefined, { 'x-admin-token': 'hush' })).status).toBe(200);
});

test('an admin token that is empty or invalid in a header throws', async () => {
  for (const adminToken of ['', ' ', '\t\n']) {
    await expect(serve(createMock(), { host: '0.0.0.0', adminToken })).rejects.toThrow(
      '`adminToken` must not be empty. Is its environment variable set?',
    );
  }
  for (const adminToken of [' hush', 'hush\n', 'hush hush', 'geheim…']) {
    await expect(serve(createMock(), { adminToken })).rejects.toThrow(/^`adminToken` .* visible ASCII/);
  }
});

test('a request without a token equals no token at all', () => {
  expect(() => checkAdmin(() => null, { token: '', loopback: true })).toThrow(/require the admin token/);
});

test('without a token, /__mock responds only to a local host name, against DNS rebinding', async () => {
  await using service = await start();
  const look = (host: string) => ask(service.server.url, ['GET /__mock/state HTTP/1.1', `host: ${host}`]);
  for (const host of ['127.0.0.1:4010', 'localhost', 'LOCALHOST:1', 'app.localhost:4010', '[::1]:4010']) {
    expect([host, statusOf(await look(host))]).toEqual([host, 200]);
  }
  for (const host of ['evil.example', 'evil.example:4010', '127.0.0.1.evil.example', '%', '']) {
    const answer = await look(host);
    expect([host, statusOf(answer)]).toEqual([host, 403]);
    expect(answer).toContain('http://127.0.0.1');
    expect(answer).not.toContain('pipelines');
  }
});

test('without a token, /__mock is closed to the web pages of others', async () => {
  await using service = await start();
  const { mock, server } = service;
  const write = (...headers: string[]) =>
    ask(
      server.url,
      ['POST /__mock/inbound HTTP/1.1', 'host: 127.0.0.1', 'content-type: text/plain', ...headers],
      '{"phone":"+5511987654321","body":"Hello"}',
    );
  for (const header of [
    'origin: https://evil.example',
    'origin: http://127.0.0.1.evil.example',
    'origin: null',
    'origin: http://localhost:5173',
    'origin: http://127.0.0.1:5173',
    'origin: http://localhost',
    'sec-fetch-site: cross-site',
    'sec-fetch-site: same-site',
  ]) {
    const answer = await write(header);
    expect([header, statusOf(answer)]).toEqual([header, 403]);
    expect(answer).toContain(JSON.stringify(header).slice(1, -1));
  }
  expect(mock.leads.count()).toBe(0);
  for (const header of [
    'origin: http://127.0.0.1',
    'sec-fetch-site: same-origin',
    'sec-fetch-site: none',
    'accept: */*',
  ]) {
    expect([header, statusOf(await write(header))]).toEqual([header, 200]);
  }
});

test.each([
  ['POST reset', 'content-type: application/x-www-form-urlencoded'],
  ['POST webhooks/emit', 'content-type: text/plain'],
  ['POST worlds', 'content-type: multipart/form-data; boundary=x'],
  ['GET events', 'accept: text/event-stream'],
  ['GET changes', 'accept: text/event-stream'],
  ['GET state', 'sec-fetch-mode: no-cors'],
  ['DELETE requests', 'sec-fetch-mode: cors'],
])('without a token, a page at another port cannot call %s', async (call, more) => {
  await using service = await start();
  const [method, path] = call.split(' ');
  const { host } = new URL(service.server.url);
  const lines = [`${method} /__mock/${path} HTTP/1.1`, `host: ${host}`, more];
  for (const header of ['origin: http://localhost:3000', 'sec-fetch-site: same-site']) {
    const answer = await ask(service.server.url, [...lines, header], '{"event":"message.created"}');
    expect([header, statusOf(answer)]).toEqual([header, 403]);
  }
});

test('a link on a page at another port opens the inspector, and nothing else', async () => {
  await using service = await start();
  const look = (path: string) =>
    ask(service.server.url, [
      `GET /__mock/${path} HTTP/1.1`,
      'host: 127.0.0.1',
      'accept: text/html',
      'sec-fetch-site: same-site',
      'sec-fetch-mode: navigate',
    ]);
  expect(statusOf(await look(''))).not.toBe(403);
  expect(statusOf(await look('state'))).toBe(403);
});

test('with the token, /__mock responds under any name to programs and its own page', async () => {
  await using service = await start({ adminToken: 'hush', cors: ['https://dashboard.example'] });
  const look = async (...headers: string[]) =>
    statusOf(
      await ask(service.server.url, [
        'GET /__mock/state HTTP/1.1',
        'host: mock.example:4010',
        'x-admin-token: hush',
        ...headers,
      ]),
    );
  expect(await look()).toBe(200);
  // A proxy may have ended TLS.
  expect(await look('origin: https://mock.example:4010')).toBe(200);
  expect(await look('sec-fetch-site: same-origin', 'origin: https://mock.example')).toBe(200);
  expect(await look('origin: https://evil.example', 'sec-fetch-site: cross-site')).toBe(403);
  expect(await look('origin: https://evil.example')).toBe(403);
  expect(await look('sec-fetch-site: same-site')).toBe(403);
});

test('a page of an origin that cors allows needs the token too', async () => {
  const origin = 'https://dashboard.example';
  const asked = ['GET /__mock/state HTTP/1.1', 'host: 127.0.0.1', `origin: ${origin}`];
  await using guarded = await start({ adminToken: 'hush', cors: [origin] });
  const crossing = [...asked, 'sec-fetch-site: cross-site'];
  expect(statusOf(await ask(guarded.server.url, crossing))).toBe(401);
  expect(statusOf(await ask(guarded.server.url, [...crossing, 'x-admin-token: hush']))).toBe(200);
  await using open = await start({ cors: [origin] });
  expect(statusOf(await ask(open.server.url, asked))).toBe(403);
});
