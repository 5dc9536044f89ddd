import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { listen, listenTcp } from '@confab/internal/test-support';
import { createWebhooks, signedRequest } from '@confab/webhooks';
import { expect, onTestFinished, test, vi } from 'vitest';
import { deliver, fileWith, header, options, runCommand, startApp, startListening } from './support/cli.ts';
import { message, standard } from './support/receiver.ts';

const body = JSON.stringify(message);

test('replay sends what several runs of listen recorded, with new signatures if there are signature flags', async () => {
  const file = await fileWith('');
  const recorder = await startListening(...header, '--record', file);
  const first = await signedRequest(recorder.url, message, options);
  first.headers.set('webhook-id', 'recorded');
  const sentSignature = first.headers.get('x-sig');
  await fetch(first);
  const second = await startListening(...header, '--record', file);
  await deliver(second.url, { event: 'other', data: { text: 'é\n' } });
  await fetch(second.url, { method: 'POST', body: 'forged' });

  const app = await startApp();
  const replay = (...flags: string[]) => runCommand(['replay', file, '--to', app.url, ...flags], '', {});
  const out = '200 the app responds\n200 the app responds';
  expect(await replay()).toEqual({ code: 0, error: '', out });
  expect(app.requests.map((request) => request.body)).toEqual([
    body,
    '{"event":"other","data":{"text":"é\\n"}}',
  ]);
  expect(app.requests[0]?.headers.get('x-sig')).toBe(sentSignature);

  const timed = { header: 'x-sig', timestamp: { header: 'x-time' } };
  await replay('--options', JSON.stringify({ ...timed, header: 'X-Sig' }), '--secret', 'another');
  const again = createWebhooks({ secret: 'another', signature: timed });
  await again.verify(app.requests[2]?.body ?? '', app.requests[2]?.headers ?? {});

  // fetch() sends names in lower case, but other senders do not.
  await writeFile(file, (await readFile(file, 'utf8')).replace('"webhook-id"', '"Webhook-Id"'));
  await replay('--scheme', 'standard-webhooks', '--secret', standard.secret);
  const { id } = await createWebhooks(standard).verify(
    app.requests[4]?.body ?? '',
    app.requests[4]?.headers ?? {},
  );
  expect(id).toMatch(/^msg_/);

  const failing = await startApp(500);
  expect(await runCommand(['replay', file, '--to', failing.url])).toMatchObject({ code: 1 });
});

test('replay with `decompress` signs the decompressed body, and sends the compressed one', async () => {
  const line = { headers: [['content-encoding', 'gzip']], body: gzipSync(body).toString('base64') };
  const file = await fileWith(`${JSON.stringify(line)}\n`);
  const signature = { header: 'x-sig', decompress: true };
  const { url } = await startListening('--options', JSON.stringify(signature));
  const flags = ['--to', url, '--options', JSON.stringify(signature)];
  expect(await runCommand(['replay', file, ...flags])).toMatchObject({ code: 0, out: '200 {"ok":true}' });
});

test.each([{ headers: [['x-a', 'b\nc']], body: '' }, { headers: [], body: 'not base64' }, {}])(
  'replay refuses a recording with a line that is not a delivery, and prints its number: %j',
  async (delivery) => {
    const file = await fileWith(`{"headers":[["x-a","b"]],"body":"e30="}\n${JSON.stringify(delivery)}\n`);
    const { code, error } = await runCommand(['replay', file]);
    const problem = `Line 2 of ${file} is not a delivery that "listen --record" wrote. Remove that line to send the others.`;
    expect([code, error]).toEqual([2, `confab-webhooks: ${problem}`]);
  },
);

test('replay sends the deliveries before a last line that is cut off, and prints the number of that line', async () => {
  const app = await startApp();
  const file = await fileWith('{"headers":[],"body":"e30="}\n{"headers":[],"bo');
  const out = `200 the app responds\nLine 2 of ${file} is cut off, so it was not sent.`;
  expect(await runCommand(['replay', file, '--to', app.url])).toEqual({ code: 1, error: '', out });

  const recorder = await startListening(...header, '--record', file);
  await deliver(recorder.url);
  const [, cutOff, recorded] = (await readFile(file, 'utf8')).split('\n');
  expect([cutOff, recorded]).toEqual(['{"headers":[],"bo', expect.stringContaining('"receivedAt"')]);
});

test('send prints a redirect and does not follow it', async () => {
  const other = await startApp();
  const url = await listen((_, response) => response.writeHead(307, { location: other.url }).end());
  const { code, out } = await runCommand(['send', 'message.created', '--to', url, ...header]);
  expect([code, out, other.requests]).toEqual([1, '307', []]);
});

// The shapes of errors of Node 24 with NODE_USE_ENV_PROXY, and with a certificate that openssl has made.
const refused = { code: 'ECONNREFUSED', address: '127.0.0.1' };
const tunnel = new Error('Proxy response (403) !== 200 when HTTP Tunneling');

test.each<[line: string, cause: object]>([
  [
    'Nothing accepts connections at http://localhost:3000. Is the receiver running?',
    { code: 'ECONNREFUSED', errors: [{ ...refused, port: 3000 }] },
  ],
  [
    'Nothing accepts connections at 127.0.0.1:8888, the proxy for http://localhost:3000. Check HTTP_PROXY and HTTPS_PROXY, or list the host in NO_PROXY.',
    { ...refused, port: 8888 },
  ],
  [
    'The proxy for http://localhost:3000 responded with 403. Check HTTP_PROXY and HTTPS_PROXY, or list the host in NO_PROXY.',
    { code: 0, cause: tunnel },
  ],
  [
    'The certificate of http://localhost:3000 is not trusted: DEPTH_ZERO_SELF_SIGNED_CERT. If it is yours, set NODE_EXTRA_CA_CERTS to the file of its authority.',
    { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
  ],
])('send explains a failed connection: %s', async (line, cause) => {
  using _ = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('fetch failed', { cause }));
  const { code, out } = await runCommand(['send', 'a', '--to', 'http://localhost:3000', ...header]);
  expect([code, out]).toEqual([1, line]);
});

test('send signs an event and prints the response', async () => {
  const app = await startApp();
  const send = (...args: string[]) => runCommand(['send', ...args, '--to', app.url, ...header]);
  expect(await send('message.created')).toEqual({ code: 0, error: '', out: '200 the app responds' });
  await send('lead.scored', '--data', '{"score":1}');
  await send('other', '--data', `@${await fileWith('\ufeff{"from":"a file"}')}`);
  const webhooks = createWebhooks(options);
  const events = app.requests.map((request) => webhooks.unwrap(request.body, request.headers));
  expect(await Promise.all(events)).toMatchObject([
    { event: 'message.created', known: true },
    { event: 'lead.scored', data: { score: 1 } },
    { event: 'other', data: { from: 'a file' } },
  ]);
  expect(app.requests[0]?.headers.get('content-type')).toBe('application/json');
  const hint = 'message.create has no sample, so its data is {}. Did you mean message.created?';
  expect((await send('lead.created')).out).toBe('200 the app responds');
  expect((await send('message.create')).out).toBe(`${hint}\n200 the app responds`);
  const refusing = await startApp(401);
  const refused = await runCommand(['send', 'a', '--to', refusing.url, ...header]);
  expect(refused).toMatchObject({ code: 1, out: '401 the app responds' });
});

/** Responds to everything with the same bytes, and ends the connection. */
const rawServer = (response: string) =>
  createServer((socket) => {
    socket.on('error', () => {}).once('data', () => socket.end(response));
  });

const noResponse = /^No response from .*: (?:ECONNRESET|UND_ERR_SOCKET)$/;

test.each([
  ['a 101', 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n', /^No response/],
  ['nothing', '', noResponse],
  ['half a response', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf', noResponse],
])('send and listen report a failure if the receiver responds with %s', async (_, response, expected) => {
  const app = `http://127.0.0.1:${await listenTcp(rawServer(response))}/`;
  const { code, out } = await runCommand(['send', 'message.created', '--to', app, ...header]);
  expect([code, out]).toEqual([1, expect.stringMatching(expected)]);
  const { url } = await startListening(...header, '--forward-to', app);
  const forwarded = await deliver(url);
  expect([forwarded.status, await forwarded.json()]).toEqual([502, { error: 'NO_RESPONSE_FROM_APP' }]);
});

test('send says that a server does not speak TLS', async () => {
  const app = (await startApp()).url.replace('http:', 'https:');
  const { code, out } = await runCommand(['send', 'message.created', '--to', app, ...header]);
  const line = `The server at ${new URL(app).origin} does not speak TLS. If it serves plain HTTP, write http:// in the URL.`;
  expect([code, out]).toEqual([1, line]);
});

test('send exits, and prints the beginning of a response that never ends', async () => {
  const endless = createServer((socket) => {
    const more = () => {
      while (socket.write('x'.repeat(65_536))) {}
    };
    socket.on('error', () => {}).on('drain', more);
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      more();
    });
    onTestFinished(() => void socket.destroy());
  });
  const app = `http://127.0.0.1:${await listenTcp(endless)}/`;
  const { code, out } = await runCommand(['send', 'message.created', '--to', app, ...header]);
  expect([code, out]).toEqual([0, `200 ${'x'.repeat(500)}`]);
});

test('send and listen print how long they waited, and listen stops at once while the app hangs', async () => {
  const app = await startApp(-1);
  const flags = [...header, '--timeout', '0.05'];
  const late = `No response from ${new URL(app.url).origin} within 0.05 s`;
  const sent = await runCommand(['send', 'message.created', '--to', app.url, ...flags]);
  expect(sent).toMatchObject({ code: 1, out: late });
  const listener = await startListening(...flags, '--forward-to', app.url);
  expect((await deliver(listener.url)).status).toBe(502);
  expect(listener.lines.slice(1)).toEqual([expect.stringMatching(/^502 message\.created /), `-> ${late}`]);

  const hanging = await startApp(-1);
  const { url, stop, code } = await startListening(...header, '--forward-to', hanging.url);
  const delivered = deliver(url).catch(() => undefined);
  await hanging.arrived;
  stop();
  expect(await code).toBe(0);
  await Promise.all([delivered, hanging.closed]);
});
