import { eventually } from '@confab/internal/test-support';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { createMock } from '../../src/index.ts';
import { listen } from '../../src/server/serve.ts';
import { connectTo, start, statusOf } from '../support/serving.ts';

type Limits = NonNullable<Parameters<typeof listen>[1]['limits']>;

/** Starts a mock server with low limits. */
const bounded = async (limits: Limits) => {
  const mock = createMock({ clock: 'system' });
  const server = await listen(mock, { limits });
  onTestFinished(() => server.close());
  return { mock, server, headers: { 'x-api-key': mock.apiKey } };
};

const HEALTH = 'GET /__mock/health HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n';
const POST = 'POST /api/v2/public/leads HTTP/1.1\r\nhost: 127.0.0.1\r\n';

const SLOW = { requestTimeout: 200 };
const TOO_LATE = /^(?:HTTP\/1\.1 408 |$)/;

test.each<[name: string, limits: Limits, parts: string[], answer: RegExp]>([
  ['sends nothing', SLOW, [], TOO_LATE],
  ['never ends its headers', SLOW, ['GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n', 'x: y\r\n'], TOO_LATE],
  ['never ends its body', SLOW, [`${POST}content-length: 100\r\n\r\n`, '{'], TOO_LATE],
  ['never ends its chunks', SLOW, [`${POST}transfer-encoding: chunked\r\n\r\n`, '1\r\n{\r\n'], TOO_LATE],
  ['waits for a response that hangs', { idleTimeout: 300 }, [`${POST}\r\n`], /^$/],
])('a caller that %s is disconnected in time', async (_, limits, parts, answer) => {
  const { mock, server } = await bounded(limits);
  mock.faults.once('*', { network: 'hang' });
  const { closed } = await connectTo(server.url, ...parts);
  expect(await closed).toMatch(answer);
  expect((await fetch(`${server.url}/__mock/health`)).status).toBe(200);
});

test('a caller whose body continues after a refusal gets the response, and is then disconnected in time', async () => {
  const { server } = await bounded({ requestTimeout: 1_000 });
  const { socket, closed } = await connectTo(server.url, `${POST}transfer-encoding: chunked\r\n\r\n`);
  const chunk = `${(65_536).toString(16)}\r\n${'x'.repeat(65_536)}\r\n`;
  const send = () => {
    while (!socket.destroyed && socket.write(chunk)) {}
  };
  socket.on('drain', send);
  send();
  expect(statusOf(await closed)).toBe(413);
});

test('connections beyond the maximum are refused, and accepted again once others have closed', async () => {
  const { server } = await bounded({ maxConnections: 2 });
  const two = [await connectTo(server.url), await connectTo(server.url)];
  const third = await connectTo(server.url, HEALTH);
  expect(await third.closed).toBe('');
  for (const { socket } of two) {
    socket.destroy();
  }
  await Promise.all(two.map(({ closed }) => closed));
  await eventually(() =>
    expect(fetch(`${server.url}/__mock/health`).then(({ status }) => status, String)).resolves.toBe(200),
  );
});

test('requests beyond the maximum in flight get a 503, also within one connection', async () => {
  const { mock, server, headers } = await bounded({ requests: 3 });
  mock.faults.always('leads.create', { network: 'hang' });
  const { socket, closed } = await connectTo(server.url, `${POST}\r\n`.repeat(3));
  await eventually(() => expect(mock.requests.length).toBe(3));
  const refused = await fetch(`${server.url}/api/v2/public/agents`, { headers });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await refused.json()).toMatchObject({ success: false, code: 'SERVICE_UNAVAILABLE' });
  socket.destroy();
  await closed;
  const status = async () => (await fetch(`${server.url}/api/v2/public/agents`, { headers })).status;
  await eventually(async () => expect(await status()).toBe(200));
});

test('a request returns 503 while the bodies of all requests take too much memory', async () => {
  const { mock, server } = await bounded({ bodyBytes: 100_000 });
  const part = 'x'.repeat(60_000);
  const first = await connectTo(server.url, `${POST}content-length: 90000\r\n\r\n${part}`);
  const upload = () => fetch(`${server.url}/api/v2/public/leads`, { method: 'POST', body: part });
  await eventually(async () => expect((await upload()).status).toBe(503));
  first.socket.destroy();
  await eventually(async () => expect((await upload()).status).toBe(401));
  expect(mock.requests.all.at(-1)?.status).toBe(401);
});

test('no hostile input stops the server from responding', async () => {
  const { server } = await start();
  const words = 'GET POST HEAD CONNECT OPTIONS PRI : HTTP/1.1 HTTP/9 / // /__mock/ /__mock/requests?limit=%';
  const more = '/api/v2/public/leads /openapi.json * http://[ %% fffffffff\r\n {';
  const headers =
    'host: a|content-length: -1|content-length: 99999999999|upgrade: websocket|expect: 100-continue';
  const word = fc.constantFrom(
    ...[' ', '\r\n', '\0', '\xff', 'host: ', 'transfer-encoding: chunked\r\n', 'connection: upgrade\r\n'],
    ...`${words} ${more}`.split(' '),
    ...headers.split('|').map((header) => `${header}\r\n`),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(word, { maxLength: 20 }), async (words) => {
      const { socket, closed } = await connectTo(server.url);
      socket.end(words.join(''), 'latin1');
      // Requests for which the server waits are not awaited.
      const health = await fetch(`${server.url}/__mock/health`);
      expect(health.status).toBe(200);
      await health.json();
      socket.destroy();
      await closed;
    }),
    { numRuns: 150 },
  );
});
