import type { ServerResponse } from 'node:http';
import { listen } from '@confab/internal/test-support';
import { expect, test } from 'vitest';
import { connectMock } from '../../src/remote/index.ts';
import { keeper } from '../support/receiver.ts';
import { start } from '../support/serving.ts';

const refusalOf = (url: string, options?: object) =>
  connectMock(url, options).catch((error: unknown) => error);

const answering = (status: number, body: string, headers: Record<string, string> = {}) =>
  listen((_, response) => void response.writeHead(status, headers).end(body));

test('connectMock() rejects when there is no mock at the URL, or no access to it, and says which', async () => {
  const { url } = (await start({ adminToken: 'hush' })).server;
  const html = await answering(200, '<h1>Hello</h1>');
  const moved = await answering(302, '', { location: 'http://127.0.0.1:9/' });
  const broken = await answering(500, '{"success":false,"error":"Out of order","code":"INTERNAL_ERROR"}');
  const echo = await answering(403, '{"success":false,"error":"No access with x-admin-token: hush"}');
  const other = await answering(200, '{"success":true}');
  const keyless = await answering(200, '{"success":true,"data":{}}');
  const silent = await listen(() => {});
  const endless = await listen((_: unknown, response: ServerResponse) => void response.write('{"success":'));
  const closed = await start();
  await closed.server.close();
  const late = (target: string) =>
    `GET ${target}/__mock/info did not complete within 20 ms. Check that the mock is running, or raise the \`timeoutMs\` of connectMock().`;
  for (const [target, options, code, says] of [
    [url, {}, 'REMOTE_DENIED', 'Pass it to connectMock() as `adminToken`'],
    [url, { adminToken: 'wrong' }, 'REMOTE_DENIED', 'This is not the admin token of the server'],
    [html, {}, 'REMOTE_FAILED', `GET ${html}/__mock/info responded with 200, but not as a mock does`],
    [moved, { adminToken: 'hush' }, 'REMOTE_FAILED', 'responded with 302'],
    [broken, {}, 'REMOTE_FAILED', 'Out of order'],
    [echo, { adminToken: 'hush' }, 'REMOTE_DENIED', 'No access with x-admin-token: …'],
    [other, {}, 'REMOTE_FAILED', 'responded with 200, but not as a mock does'],
    [keyless, {}, 'REMOTE_FAILED', `The server at ${keyless} does not respond as a mock does`],
    [closed.server.url, {}, 'REMOTE_UNREACHABLE', `No mock responded at ${closed.server.url}: `],
    [silent, { timeoutMs: 20 }, 'REMOTE_UNREACHABLE', late(silent)],
    [endless, { timeoutMs: 20 }, 'REMOTE_UNREACHABLE', late(endless)],
  ] as const) {
    const error = await refusalOf(target, options);
    expect([target, error]).toMatchObject([target, { code, message: expect.stringContaining(says) }]);
    expect(String(error)).not.toContain('hush');
  }
});

const TIMEOUT = '`timeoutMs` must be milliseconds (more than 0, up to 2000000000), or Infinity, got';
const NO_URL = 'must be an http or https URL without a user name, query or fragment, got';

test.each<[url: string, options: object, says: string]>([
  ['http://127.0.0.1:1', { adminTokn: 'x' }, 'Did you mean `adminToken`?'],
  ['http://127.0.0.1:1', { adminToken: '' }, '`adminToken` must not be empty'],
  ['http://127.0.0.1:1', { timeoutMs: 0 }, `${TIMEOUT} 0`],
  ['http://127.0.0.1:1', { timeoutMs: '5' }, `${TIMEOUT} "5"`],
  ['http://127.0.0.1:1', { timeoutMs: 2 ** 31 }, `${TIMEOUT} 2147483648`],
  [
    'http://127.0.0.1:1/api/v2/public',
    {},
    'There is no mock at http://127.0.0.1:1/api/v2/public, the path of its API. Pass http://127.0.0.1:1',
  ],
  ['nowhere', {}, `${NO_URL} "nowhere"`],
  ['http://eve:hush@', {}, NO_URL],
  ['eve:hush@127.0.0.1:4010', {}, NO_URL],
  ['ftp://eve:hush@127.0.0.1', {}, NO_URL],
  ['http://eve:h%40ush@127.0.0.1#here', {}, NO_URL],
  ['http://eve:hush@127.0.0.1:4010', {}, `${NO_URL} "http://…@127.0.0.1:4010"`],
])(
  'connectMock() refuses %s with %j, without repeating a user name or password',
  async (url, options, says) => {
    const error = await refusalOf(url, options);
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', message: expect.stringContaining(says) });
    expect(String(error)).not.toMatch(/eve|ush/);
  },
);

test('flush() of a remote mock rejects after timeoutMs, which may be Infinity, and says what is pending', async () => {
  const { mock, server } = await start({}, { clock: 'system' });
  mock.webhooks.add({ ...keeper(503).endpoint, retries: [600_000] });
  const patient = await connectMock(server.url, { timeoutMs: Number.POSITIVE_INFINITY });
  await patient.webhooks.flush();
  mock.webhooks.emit('order.paid', {});
  // The address of the inspector works too.
  const hasty = await connectMock(`${server.url}/__mock/`, { timeoutMs: 199.5 });
  await expect(hasty.webhooks.flush()).rejects.toMatchObject({
    code: 'DELIVERIES_PENDING',
    message: expect.stringMatching(/^1 delivery is still pending after 200 ms/),
  });
});
