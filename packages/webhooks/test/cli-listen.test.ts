import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { eventually, freePort, listen } from '@confab/internal/test-support';
import { sign, signedRequest } from '@confab/webhooks';
import { expect, onTestFinished, test } from 'vitest';
import { deliver, fileWith, header, options, runCommand, startApp, startListening } from './support/cli.ts';
import { data, message, secret } from './support/receiver.ts';

const body = JSON.stringify(message);

test('listen prints each delivery or why it was refused, and the response contains the reason', async () => {
  const { url, lines } = await startListening(...header);
  expect((await deliver(url)).status).toBe(200);
  const refused = await deliver(url, message, { ...options, secret: 'guess' });
  expect([refused.status, await refused.json()]).toEqual([401, { error: 'SIGNATURE_MISMATCH' }]);
  expect((await deliver(url, { ...message, data: [] })).status).toBe(400);
  expect((await fetch(url, { method: 'POST', body: 'x'.repeat(1_048_577) })).status).toBe(413);
  expect((await fetch(url)).status).toBe(405);
  expect(lines.slice(1)).toEqual([
    `200 message.created ${JSON.stringify(data)}`,
    expect.stringMatching(/^401 SIGNATURE_MISMATCH: The signature does not match/),
    expect.stringMatching(/^400 INVALID_EVENT: The delivery is genuine, but/),
    expect.stringMatching(/^413 BODY_TOO_LARGE: /),
  ]);
});

test('listen without --header finds the signature of each delivery', async () => {
  const { url, lines } = await startListening();
  const unusual = { header: 'x-any', encoding: 'base64', prefix: 'v1=' } as const;
  expect((await deliver(url, message, { secret, signature: unusual })).status).toBe(200);
  expect(lines.slice(1)).toEqual([
    expect.stringMatching(/^no --header/),
    `found: signature: ${JSON.stringify(unusual)}`,
    `200 message.created ${JSON.stringify(data)}`,
  ]);
  const refused = await fetch(url, { method: 'POST', body: 'x' });
  expect([refused.status, await refused.json()]).toEqual([401, { error: 'SIGNATURE_NOT_FOUND' }]);
  expect(lines[4]).toBe('No signature was found. Tried:');
  expect(lines.at(-1)).toBe('401 SIGNATURE_NOT_FOUND: No header holds a signature of this body.');
});

test('listen accepts a body that was compressed after it was signed, with `decompress` and without flags', async () => {
  const signature = { header: 'x-sig', encoding: 'hex', decompress: true } as const;
  const headers = { ...(await sign(body, { secret, signature })), 'content-encoding': 'gzip' };
  for (const flags of [['--options', JSON.stringify(signature)], []]) {
    const { url, lines } = await startListening(...flags);
    expect((await fetch(url, { method: 'POST', headers, body: gzipSync(body) })).status).toBe(200);
    expect(lines.at(-1)).toBe(`200 message.created ${JSON.stringify(data)}`);
    expect(lines.includes(`found: signature: ${JSON.stringify(signature)}`)).toBe(flags.length === 0);
  }
});

test('listen forwards genuine deliveries unchanged, and the sender gets the response of the app', async () => {
  const app = await startApp(202);
  const { url, lines } = await startListening(...header, '--forward-to', app.url);
  const request = await signedRequest(url, message, options);
  request.headers.set('X-Custom', 'a, b');
  const response = await fetch(request);
  expect([response.status, await response.text()]).toEqual([202, 'the app\nresponds']);
  await eventually(() => expect(lines).toHaveLength(3));
  expect(lines.slice(1)).toEqual([`202 message.created ${JSON.stringify(data)}`, '-> 202 the app responds']);
  const [{ headers, body: received } = { headers: new Headers(), body: '' }] = app.requests;
  const names = ['x-custom', 'x-sig', 'host'].map((name) => headers.get(name));
  expect(names).toEqual(['a, b', request.headers.get('x-sig'), new URL(app.url).host]);
  expect(received).toBe(body);
  expect((await fetch(url, { method: 'POST', body: 'forged' })).status).toBe(401);
  expect(app.requests).toHaveLength(1);
});

test('listen records only to regular files, and creates files that only the user may read', async () => {
  const file = await fileWith('');
  const fresh = join(dirname(file), 'new');
  await startListening(...header, '--record', fresh);
  expect((await stat(fresh)).mode & 0o777).toBe(0o600);
  const fifo = join(dirname(file), 'fifo');
  execFileSync('mkfifo', [fifo]);
  for (const other of [fifo, dirname(fifo), '/dev/null']) {
    const error = `confab-webhooks: Cannot write ${other}: it is not a regular file. Pass a different name to --record.`;
    expect(await runCommand(['listen', '--port', '0', ...header, '--record', other])).toEqual({
      code: 2,
      out: '',
      error,
    });
  }
});

test('listen refuses a delivery that comes back through a different spelling of its address, and records it once', async () => {
  const port = await freePort();
  const target = `http://[::ffff:127.0.0.1]:${port}`;
  const file = await fileWith('');
  const { url, lines } = await startListening(
    ...['--port', String(port), ...header, '--forward-to', target, '--record', file],
  );
  const response = await deliver(url);
  expect([response.status, await response.json()]).toEqual([508, { error: 'FORWARDED_TO_ITSELF' }]);
  expect(lines.slice(1)).toEqual([
    `508 FORWARDED_TO_ITSELF: --forward-to ${new URL(target).origin} leads back to this command. Pass the URL of your app.`,
    `508 message.created ${JSON.stringify(data)}`,
    '-> 508 {"error":"FORWARDED_TO_ITSELF"}',
  ]);
  expect((await readFile(file, 'utf8')).trim().split('\n')).toHaveLength(1);
});

test('listen forwards deliveries that another listen has forwarded', async () => {
  const second = await startListening(...header, '--forward-to', (await startApp()).url);
  const first = await startListening(...header, '--forward-to', second.url);
  expect((await deliver(first.url)).status).toBe(200);
});

test('listen passes the response headers of the app to the sender, except those of the connection', async () => {
  const app = await listen((_, response) => {
    const headers = { 'Retry-After': '120', 'Content-Encoding': 'gzip' };
    response.writeHead(503, headers).end(gzipSync('{"busy":true}'));
  });
  const { url } = await startListening(...header, '--forward-to', app);
  const { status, headers } = await deliver(url);
  const names = ['retry-after', 'content-length', 'content-encoding'];
  expect([status, ...names.map((name) => headers.get(name))]).toEqual([503, '120', '13', null]);
});

test('listen records large deliveries that arrive at the same time one after the other, in their order', async () => {
  const file = await fileWith('');
  const { url, lines } = await startListening(...header, '--record', file);
  const large = { text: 'x'.repeat(700_000) };
  const events = Array.from({ length: 8 }, (_, index) => ({ event: `e${index}`, data: large }));
  await Promise.all(events.map((event) => deliver(url, event)));
  const recorded = (await readFile(file, 'utf8')).trim().split('\n');
  const names = recorded.map((line) => JSON.parse(atob(JSON.parse(line).body)).event);
  const printed = lines.slice(1).map((line) => line.split(' ')[1]);
  expect([names.toSorted(), names]).toEqual([events.map(({ event }) => event), printed]);
});

test('listen keeps at most 100 connections open, and prints that it refused the next one', async () => {
  const { url, lines } = await startListening(...header);
  const port = Number(new URL(url).port);
  const open = () => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    onTestFinished(() => void socket.destroy());
    return socket;
  };
  const sockets = Array.from({ length: 100 }, open);
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  await once(open(), 'close');
  expect(lines.slice(1)).toEqual(['refused a connection: 100 are open']);
  sockets[0]?.destroy();
  await eventually(async () => expect((await deliver(url)).status).toBe(200));
});
