import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signedRequest } from '@confab/webhooks';
import { expect, onTestFinished, test } from 'vitest';
import { command, listening, secret } from './support/cli.ts';

const options = { secret, signature: { header: 'x-sig' } };
const message = { event: 'message.created', data: { conversationId: 'c1', channel: 'web', body: 'Hi' } };

/** A server that responds to everything with the same bytes, and ends the connection. */
const rawServer = async (response: string): Promise<string> => {
  const server = createServer((socket) => {
    socket.on('error', () => {}).once('data', () => socket.end(response));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
};

test('what strangers wrote reaches the terminal escaped, on one line', async () => {
  const { url, lines } = await listening('--header', 'x-sig');
  const hostile = 'x\u001b]0;title\u0007\n200 \u009b31m\u202e\u2028\ud83d\ude00\u{e0041}';
  await fetch(await signedRequest(url, { event: hostile, data: { [hostile]: 1 } }, options));
  const escaped = 'x\\u001b]0;title\\u0007\\u000a200 \\u009b31m\\u202e\\u2028😀\\udb40\\udc41';
  expect(lines.slice(1)).toEqual([`200 ${escaped} {"${escaped.replace('\\u000a', '\\n')}":1}`]);
});

test('an invalid flag reaches the terminal escaped, on one line', async () => {
  const { lines, warn, code } = command('sign', '--header', 'x\u202e\u009b2J\u2028');
  expect(await code).toBe(2);
  expect(lines).toEqual([]);
  expect(warn.mock.calls).toEqual([
    ['confab-webhooks: signature.header must be a header name, got "x\\u202e\\u009b2J\\u2028".'],
  ]);
});

test('the reason of a refusal is in the response', async () => {
  const { url } = await listening('--header', 'x-sig');
  const refused = await fetch(await signedRequest(url, message, { ...options, secret: 'guess' }));
  expect([refused.status, await refused.json()]).toEqual([401, { error: 'SIGNATURE_MISMATCH' }]);
  const { lines, code } = command(
    ...['send', 'message.created', '--to', url, '--header', 'x-sig', '--secret', 'guess'],
  );
  expect(await code).toBe(1);
  expect(lines).toEqual(['401 {"error":"SIGNATURE_MISMATCH"}']);
});

test('listen without --header prints the event after the signature', async () => {
  const { url, lines } = await listening();
  expect((await fetch(await signedRequest(url, message, options))).status).toBe(200);
  expect(lines.slice(2)).toEqual([
    'found: signature: {"header":"x-sig","encoding":"hex"}',
    `200 message.created ${JSON.stringify(message.data)}`,
  ]);
  const refused = await fetch(url, { method: 'POST', body: 'x' });
  expect([refused.status, await refused.json()]).toEqual([401, { error: 'SIGNATURE_NOT_FOUND' }]);
});

const UPGRADE = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n';

test.each([
  ['a 101', UPGRADE, /^no response/],
  ['a bare 101', 'HTTP/1.1 101 Switching Protocols\r\n\r\n', /^no response/],
  ['nothing', '', /^no response from .*: (?:ECONNRESET|UND_ERR_SOCKET)$/],
  [
    'half a response',
    'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf',
    /^no response from .*: (?:ECONNRESET|UND_ERR_SOCKET)$/,
  ],
  ['a status of 99', 'HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n', /^no response/],
])('send and listen end with a receiver that responds with %s', async (_, response, line) => {
  const app = await rawServer(response);
  const { lines, code } = command('send', 'message.created', '--to', app, '--header', 'x-sig');
  expect(await code).toBe(1);
  expect(lines).toEqual([expect.stringMatching(line)]);

  const { url } = await listening('--header', 'x-sig', '--forward-to', app);
  const forwarded = await fetch(await signedRequest(url, message, options));
  expect([forwarded.status, await forwarded.json()]).toEqual([502, { error: 'NO_RESPONSE_FROM_APP' }]);
});

test('send ends with a receiver whose response never ends', async () => {
  const app = createServer((socket) => {
    const more = () => {
      while (socket.write('x'.repeat(65_536))) {}
    };
    socket.on('error', () => {}).on('drain', more);
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      more();
    });
    onTestFinished(() => void socket.destroy());
  }).listen(0, '127.0.0.1');
  await once(app, 'listening');
  onTestFinished(() => void app.close());
  const url = `http://127.0.0.1:${(app.address() as AddressInfo).port}/`;
  const { lines, code } = command('send', 'message.created', '--to', url, '--header', 'x-sig');
  expect(await code).toBe(0);
  expect(lines).toEqual([`200 ${'x'.repeat(500)}`]);
});

test.each([[[[]]], [[['x-a', 'b', 'Host', 'elsewhere']]], [[['x-a']]]])(
  'replay names the line of a recording whose headers are %j',
  async (headers) => {
    const folder = await mkdtemp(join(tmpdir(), 'confab-webhooks-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'deliveries.jsonl');
    await writeFile(
      file,
      `${JSON.stringify({ headers: [], body: '' })}\n${JSON.stringify({ headers, body: '' })}\n`,
    );
    const { warn, code } = command('replay', file, '--to', 'http://127.0.0.1:1');
    expect(await code).toBe(2);
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('Line 2 of '));
  },
);
