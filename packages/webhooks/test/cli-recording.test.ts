import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { signedRequest } from '@confab/webhooks';
import { expect, onTestFinished, test } from 'vitest';
import { command, listening, secret } from './support/cli.ts';

const message = { event: 'message.created', data: { conversationId: 'c1', channel: 'web', body: 'Hi' } };
const options = { secret, signature: { header: 'x-sig' } };
const whole = JSON.stringify({ receivedAt: '', headers: [['x-a', 'b']], body: 'e30=' });

const fileWith = async (content: string) => {
  const folder = await mkdtemp(join(tmpdir(), 'confab-webhooks-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'deliveries.jsonl');
  await writeFile(file, content);
  return file;
};

/** An app that responds with 200, or never. */
const startApp = async (hangs = false) => {
  const arrived = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  const server = createServer((_, response) => {
    response.on('close', closed.resolve);
    arrived.resolve();
    if (!hangs) {
      response.end('ok');
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, arrived: arrived.promise, closed: closed.promise };
};

test('listen ends a line that was cut off, and replay skips it', async () => {
  const file = await fileWith(`\ufeff${whole}\n${whole.slice(0, 20)}`);
  const { url } = await listening('--header', 'x-sig', '--record', file);
  await fetch(await signedRequest(url, message, options));
  expect((await readFile(file, 'utf8')).split('\n')).toHaveLength(4);

  const { code, lines } = command('replay', file, '--to', (await startApp()).url);
  expect(await code).toBe(1);
  expect(lines).toEqual(['200 ok', `Line 2 of ${file} is cut off; skipped`, '200 ok']);
});

test('listen records to regular files only, because a FIFO without a reader would block it', async () => {
  const fifo = join(dirname(await fileWith('')), 'fifo');
  execFileSync('mkfifo', [fifo]);
  for (const file of [fifo, dirname(fifo), '/dev/null']) {
    const { code, warn } = command('listen', '--port', '0', '--header', 'x-sig', '--record', file);
    expect(await code).toBe(2);
    expect(warn).toHaveBeenCalledExactlyOnceWith(
      `confab-webhooks: Cannot write ${file}: it is not a regular file. Pass another name to --record.`,
    );
  }
});

test.each([
  [{ headers: [['x a', 'b']], body: '' }, 'Header name must be a valid HTTP token ["x a"].'],
  [{ headers: [['x-a', 'b\n']], body: '' }, 'Invalid character in header content ["x-a"].'],
  [{ headers: [], body: 'not base64' }, 'its body is not base64.'],
])('replay names the line and the problem of %j', async (delivery, problem) => {
  const file = await fileWith(`${whole}\n\n${JSON.stringify(delivery)}\n`);
  const { code, warn } = command('replay', file, '--to', 'http://127.0.0.1:1');
  expect(await code).toBe(2);
  expect(warn).toHaveBeenCalledWith(`confab-webhooks: Line 3 of ${file} is invalid: ${problem}`);
});

/** A port that nothing listens on. */
const freePort = async (): Promise<number> => {
  const server = createTcpServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};

/** Passes connections on to a port, as a tunnel does. */
const startTunnel = async (port: number): Promise<string> => {
  const server = createTcpServer((socket) => {
    const target = connect(port, '127.0.0.1');
    socket.on('error', () => target.destroy()).pipe(target);
    target.on('error', () => socket.destroy()).pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

test.each<[string, (port: number) => string | Promise<string>]>([
  ['another spelling of its address', (port) => `http://[::ffff:127.0.0.1]:${port}`],
  ['a tunnel to it', startTunnel],
])('listen refuses a delivery that comes back through %s, and records it once', async (_, toItself) => {
  const port = await freePort();
  const target = await toItself(port);
  const file = await fileWith('');
  const { url, lines } = await listening(
    ...['--port', String(port), '--header', 'x-sig', '--forward-to', target, '--record', file],
  );
  const response = await fetch(await signedRequest(url, message, options));
  expect([response.status, await response.json()]).toEqual([508, { error: 'FORWARDED_TO_ITSELF' }]);
  expect(lines.slice(1)).toEqual([
    `508 FORWARDED_TO_ITSELF: --forward-to ${new URL(target).origin} leads back to this command. Pass the URL of your app.`,
    `508 message.created ${JSON.stringify(message.data)}`,
    '-> 508 {"error":"FORWARDED_TO_ITSELF"}',
  ]);
  expect((await readFile(file, 'utf8')).trim().split('\n')).toHaveLength(1);
});

test('listen forwards what another listen forwarded, because only its own deliveries are a loop', async () => {
  const app = await startApp();
  const second = await listening('--header', 'x-sig', '--forward-to', app.url);
  const first = await listening('--header', 'x-sig', '--forward-to', second.url);
  expect((await fetch(await signedRequest(first.url, message, options))).status).toBe(200);
});

test('listen ends at once while the app hangs', async () => {
  const app = await startApp(true);
  const { stop, code, lines, printed } = command(
    ...['listen', '--port', '0', '--header', 'x-sig', '--forward-to', app.url],
  );
  await printed;
  const url = (lines[0] ?? '').replace('listening on ', '');
  const sent = fetch(await signedRequest(url, message, options)).catch(() => undefined);
  await app.arrived;
  stop();
  expect(await code).toBe(0);
  await sent;
  await app.closed;
});

test('send and listen say how long they waited', async () => {
  const app = await startApp(true);
  const late = `no response from ${app.url} within 0.05 s`;
  const flags = ['--header', 'x-sig', '--timeout', '0.05'];
  const { code, lines } = command('send', 'message.created', '--to', app.url, ...flags);
  expect([await code, lines]).toEqual([1, [late]]);

  const listener = await listening(...flags, '--forward-to', app.url);
  expect((await fetch(await signedRequest(listener.url, message, options))).status).toBe(502);
  expect(listener.lines.slice(1)).toEqual([expect.stringMatching(/^502 message\.created /), `-> ${late}`]);
});

test.each([
  [['listen', '--forward-to', 'http://localhost:3000/hooks'], 'is the address that listen itself uses'],
  [['listen', '--host', '0.0.0.0', '--forward-to', 'http://[::1]:3000'], 'is the address that listen itself'],
  [['listen', '--timeout', '5'], '--timeout needs --forward-to'],
])('incorrect usage is refused: %j', async (args, problem) => {
  const { code, warn } = command(...args);
  expect(await code).toBe(2);
  expect(warn).toHaveBeenCalledWith(expect.stringContaining(problem));
});

test('verify names the command that finds a missing header', async () => {
  const { code, lines } = command('verify', '--header', 'x-sig');
  expect(await code).toBe(1);
  expect(lines[1]).toContain('"confab-webhooks detect" finds the right one');
});
