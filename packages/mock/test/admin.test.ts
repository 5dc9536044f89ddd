import { expect, test } from 'vitest';
import { createMock } from '../src/index.ts';
import { checkAdmin } from '../src/server/admin.ts';
import { serve } from '../src/server/index.ts';
import { ask, start, statusOf } from './support/serving.ts';

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
  expect(() => checkAdmin(() => null, { token: '', loopback: true })).toThrow(/need the admin token/);
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
    'sec-fetch-site: cross-site',
  ]) {
    const answer = await write(header);
    expect([header, statusOf(answer)]).toEqual([header, 403]);
    expect(answer).toContain('admin token');
  }
  expect(mock.leads.count()).toBe(0);
  for (const header of [
    'origin: http://localhost:5173',
    'origin: http://[::1]',
    'sec-fetch-site: same-origin',
    'accept: */*',
  ]) {
    expect([header, statusOf(await write(header))]).toEqual([header, 200]);
  }
});

test('with the token, /__mock responds under any name and to any page', async () => {
  await using service = await start({ adminToken: 'hush' });
  const answer = await ask(service.server.url, [
    'GET /__mock/state HTTP/1.1',
    'host: mock.example',
    'origin: https://dashboard.example',
    'sec-fetch-site: cross-site',
    'x-admin-token: hush',
  ]);
  expect(statusOf(answer)).toBe(200);
});
