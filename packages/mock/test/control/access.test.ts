import { expect, test } from 'vitest';
import type { MockServer, ServeOptions } from '../../src/server/index.ts';
import { sendRaw, start, statusOf } from '../support/serving.ts';

/** Reads rows with raw headers, and resolves to the response. */
const look = (server: MockServer, ...headers: string[]) =>
  sendRaw(server.url, ['GET /__mock/state HTTP/1.1', ...headers]);

/** Starts a server, and reads rows with each set of headers. */
const outcomes = async (options: ServeOptions, table: readonly [headers: string[], status: number][]) => {
  const service = await start(options);
  for (const [headers, status] of table) {
    expect([headers, statusOf(await look(service.server, ...headers))]).toEqual([headers, status]);
  }
};

test('with an admin token, control requests must send it, in one of two headers', async () => {
  const host = 'host: mock.test';
  await outcomes({ adminToken: 'hush' }, [
    [[host, 'x-admin-token: hush'], 200],
    [[host, 'authorization: Bearer hush'], 200],
    [[host, 'authorization: bearer   hush'], 200],
    // The token may be the password of a proxy, which sends its own header too.
    [[host, 'x-admin-token: hush', 'authorization: Bearer other'], 200],
    [[host, 'x-admin-token: other', 'authorization: Bearer hush'], 401],
    [[host, 'x-admin-token: hus'], 401],
    [[host, 'x-admin-token: '], 401],
    [[host, 'authorization: hush'], 401],
    [[host, 'authorization: Bearerhush'], 401],
    [[host, 'authorization: A Bearer hush'], 401],
    [[host, 'authorization: Bearer hush hush'], 401],
    [[host, 'authorization: Basic hush'], 401],
    [[host], 401],
  ]);
  const { control } = await start({ adminToken: 'hush' });
  expect(await control('GET', 'state')).toMatchObject({ code: 'ADMIN_TOKEN_REQUIRED' });
  const wrong = { 'x-admin-token': 'no' };
  expect(await control('GET', 'state', undefined, wrong)).toMatchObject({ code: 'ADMIN_TOKEN_INVALID' });
});

test('beyond loopback, the control endpoints are closed without a token, and open with one', async () => {
  const host = 'host: localhost';
  const exposed = await start({ host: '0.0.0.0' });
  expect(await exposed.control('GET', 'state')).toMatchObject({ status: 403, code: 'ADMIN_TOKEN_REQUIRED' });
  await outcomes({ host: '0.0.0.0', adminToken: 'hush' }, [
    [[host], 401],
    [[host, 'x-admin-token: hush'], 200],
  ]);
});

test('without a token, the control endpoints respond only under local host names, to prevent DNS rebinding', async () => {
  const local = ['127.0.0.1:4010', 'localhost', 'LOCALHOST:1', 'app.localhost:4010', '[::1]:4010'];
  await outcomes(
    {},
    local.map((host) => [[`host: ${host}`], 200]),
  );
  const service = await start();
  for (const name of [
    ...['evil.example', 'evil.example:4010', '127.0.0.1.evil.example', '%', ''],
    ...['localhost/evil.test', 'localhost@evil.test'],
  ]) {
    const host = `host: ${name}`;
    const answer = await look(service.server, host);
    expect([host, statusOf(answer)]).toEqual([host, 403]);
    expect(answer).toContain('ORIGIN_REFUSED');
    expect(answer).toContain(`this one has ${JSON.stringify(JSON.stringify(host)).slice(1, -1)}`);
    expect(answer).not.toContain('pipelines');
  }
});

test.each([
  ['GET', 'state'],
  ['GET', 'events'],
  ['POST', 'inbound'],
  ['POST', 'worlds'],
  ['DELETE', 'requests'],
])('without a token, %s %s is closed to the pages of other origins', async (method, path) => {
  const { mock, server } = await start();
  const lines = [`${method} /__mock/${path} HTTP/1.1`, 'host: LocalHost:4010', 'content-type: text/plain'];
  for (const header of [
    'origin: https://evil.example',
    'origin: http://localhost:5173',
    'origin: http://localhost',
    'origin: null',
    'sec-fetch-site: cross-site',
    'sec-fetch-site: same-site',
  ]) {
    const answer = await sendRaw(server.url, [...lines, header], '{"phone":"+5511987654321","body":"Hello"}');
    expect([header, statusOf(answer)]).toEqual([header, 403]);
    expect(answer).toContain(JSON.stringify(header).slice(1, -1));
  }
  expect(mock.leads.count()).toBe(0);
});

test('programs and pages of the same origin can call the control endpoints', async () => {
  const host = 'host: LocalHost:4010';
  await outcomes({}, [
    [[host, 'origin: http://localhost:4010'], 200],
    // A proxy may have ended TLS.
    [[host, 'origin: https://LOCALHOST:4010'], 200],
    [[host, 'sec-fetch-site: same-origin', 'origin: http://a.test'], 200],
    [[host, 'sec-fetch-site: none'], 200],
    [[host, 'accept: */*'], 200],
    [[host, 'sec-fetch-site: cross-site', 'origin: http://localhost:4010'], 403],
  ]);
});

test('a link on a page at another port opens the inspector, and nothing else', async () => {
  const { server } = await start();
  const headers = ['host: 127.0.0.1', 'accept: text/html', 'sec-fetch-site: same-site'];
  const open = async (path: string) =>
    statusOf(await sendRaw(server.url, [`GET ${path} HTTP/1.1`, ...headers]));
  expect(await open('/__mock/')).not.toBe(403);
  expect(await open('/__mock/state')).toBe(403);
});

test('with the token, pages can call the control endpoints only from origins that `cors` allows', async () => {
  const origin = 'https://dashboard.example';
  const [host, token] = ['host: mock.example:4010', 'x-admin-token: hush'];
  await outcomes({ adminToken: 'hush', cors: [origin] }, [
    [[host, token, `origin: ${origin}`, 'sec-fetch-site: cross-site'], 200],
    [[host, `origin: ${origin}`, 'sec-fetch-site: cross-site'], 401],
    [[host, token, 'origin: https://mock.example:4010'], 200],
    [[host, token, 'sec-fetch-site: same-origin', 'origin: https://mock.example'], 200],
    [[host, token, 'origin: https://evil.example', 'sec-fetch-site: cross-site'], 403],
    [[host, token, 'origin: https://evil.example'], 403],
    [[host, token, 'sec-fetch-site: cross-site'], 403],
  ]);
  await outcomes({ cors: [origin] }, [[['host: 127.0.0.1', `origin: ${origin}`], 403]]);
});
