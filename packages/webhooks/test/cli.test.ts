import { execFileSync } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { eventually, freePort, listenTcp } from '@confab/internal/test-support';
import type { Signature } from '@confab/webhooks';
import { createWebhooks, sign, signedRequest, standardWebhooks, timestamped } from '@confab/webhooks';
import { expect, onTestFinished, test } from 'vitest';
import { fileWith, runCommand, startApp, startListening } from './support/cli.ts';
import { data, message, secret, signature } from './support/receiver.ts';

const options = { secret, signature };
const header = ['--header', 'x-sig'];
const body = JSON.stringify(message);
const deliver = async (url: string, payload: object = message, signing = options) =>
  fetch(await signedRequest(url, payload as typeof message, signing));

/** The arguments for a captured delivery. */
const captured = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);

const encoded = { CONFAB_WEBHOOK_SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' };

const schemes: Record<string, (given: never) => Signature> = {
  plain: (given) => given,
  'standard-webhooks': standardWebhooks,
  timestamped,
};

test.each<[name: string, given: object]>([
  ['plain', { header: 'x-sig', encoding: 'hex' }],
  ['plain', { header: 'x', encoding: 'base64', prefix: 'v1=', timestamp: { header: 'y', separator: ':' } }],
  ['standard-webhooks', {}],
  ['standard-webhooks', { headerPrefix: 'svix' }],
  ['timestamped', { header: 'x-sig' }],
  [
    'timestamped',
    { header: 'x', timestampField: 'ts', signatureField: 'h1', delimiter: ';', separator: ':' },
  ],
])('the commands sign, verify and detect, with the scheme %s and the options %j', async (name, given) => {
  const flags = ['--scheme', name, '--options', JSON.stringify(given)];
  const scheme = schemes[name]?.(given as never) ?? signature;
  const signed = await runCommand(['sign', ...flags], body, encoded);
  const headers = Object.fromEntries(signed.out.split('\n').map((line) => line.split(': ')));
  const webhooks = createWebhooks({ secret: encoded.CONFAB_WEBHOOK_SECRET, signature: scheme });
  expect(await webhooks.unwrap(body, headers)).toMatchObject(message);

  const arrived = captured(headers);
  const verified = await runCommand(['verify', ...flags, ...arrived], body, encoded);
  expect(verified).toMatchObject({ code: 0, out: 'genuine: message.created' });
  const forged = await runCommand(['verify', ...flags, ...arrived], `${body} `, encoded);
  expect(forged).toMatchObject({ code: 1, out: expect.stringMatching(/^refused: SIGNATURE_MISMATCH\n/) });
  const source = 'source' in scheme ? scheme.source : JSON.stringify(scheme);
  const detected = await runCommand(['detect', '-H', 'Host: x', ...arrived], body, encoded);
  expect(detected).toMatchObject({ code: 0, out: `found: signature: ${source}` });
  const lost = await runCommand(['detect', ...arrived], `${body} `, encoded);
  expect(lost).toMatchObject({ code: 1, out: expect.stringMatching(/^No signature was found. Tried:\n- /) });
});

test('verify refuses old and repeated signatures, and names the command that finds a missing one', async () => {
  const timed = { header: 'x-sig', timestamp: { header: 'x-time' } };
  const old = captured(await sign(body, { secret, signature: timed, timestamp: 1_700_000_000 }));
  const verify = async (...args: string[]) => (await runCommand(['verify', ...args], body)).out;
  expect(await verify('--options', JSON.stringify(timed), ...old)).toMatch(
    /^refused: TIMESTAMP_OUT_OF.*\n.*\nTo accept an old delivery, raise toleranceSeconds in --options\.$/,
  );
  const given = captured(await sign(body, options));
  expect(await verify(...header, ...given, ...given)).toMatch(/^refused: AMBIGUOUS_SIGNATURE\n/);
  expect(await verify(...header)).toContain('"confab-webhooks detect" finds the right one');
});

const key = Buffer.from('the key of the sender, in 32 byte');

test.each<[encoding: string, text: string, scheme: string, code: string]>([
  ['base64', key.toString('base64'), '--header x-sig', "Buffer.from(secret, 'base64')"],
  ['hex', key.toString('hex'), '--header x-sig', "Buffer.from(secret, 'hex')"],
  ['text', key.toString(), '--scheme standard-webhooks', 'new TextEncoder().encode(secret)'],
])('a secret in %s works with the flag that detect names', async (encoding, text, scheme, code) => {
  const flags = [...scheme.split(' '), '--secret', text, '--secret-encoding', encoding];
  const { url } = await startListening(...flags);
  const sent = await runCommand(['send', 'message.created', '--to', url, ...flags]);
  expect(sent).toMatchObject({ code: 0, out: '200 {"ok":true}' });
  const signed = await sign(body, {
    secret: key,
    signature: scheme === '--header x-sig' ? signature : standardWebhooks(),
  });
  const given = captured(signed);
  expect(await runCommand(['verify', ...flags, ...given], body)).toMatchObject({ code: 0 });
  const { out } = await runCommand(['detect', '--secret', text, ...given], body);
  expect(out).toContain(`pass --secret-encoding ${encoding} to the other commands, and ${code}`);
});

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
  const any = { header: 'x-any', encoding: 'base64', prefix: 'v1=' } as const;
  expect((await deliver(url, message, { secret, signature: any })).status).toBe(200);
  expect(lines.slice(1)).toEqual([
    expect.stringMatching(/^no --header/),
    `found: signature: ${JSON.stringify(any)}`,
    `200 message.created ${JSON.stringify(data)}`,
  ]);
  const refused = await fetch(url, { method: 'POST', body: 'x' });
  expect([refused.status, await refused.json()]).toEqual([401, { error: 'SIGNATURE_NOT_FOUND' }]);
  expect(lines[4]).toBe('No signature was found. Tried:');
  expect(lines.at(-1)).toBe('401 SIGNATURE_NOT_FOUND: No header holds a signature of this body.');
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

test('several runs of listen record genuine deliveries, and replay sends them again, signed again if asked', async () => {
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
  await replay('--scheme', 'standard-webhooks', '--secret', encoded.CONFAB_WEBHOOK_SECRET);
  const standard = createWebhooks({ secret: encoded.CONFAB_WEBHOOK_SECRET, signature: standardWebhooks() });
  const { id } = await standard.verify(app.requests[4]?.body ?? '', app.requests[4]?.headers ?? {});
  expect(id).toMatch(/^msg_/);

  const failing = await startApp(500);
  expect(await runCommand(['replay', file, '--to', failing.url])).toMatchObject({ code: 1 });
});

test('listen records to regular files only, as a FIFO would block it, and only the user may read a new one', async () => {
  const file = await fileWith('');
  const fresh = join(dirname(file), 'new');
  await startListening(...header, '--record', fresh);
  expect((await stat(fresh)).mode & 0o777).toBe(0o600);
  const fifo = join(dirname(file), 'fifo');
  execFileSync('mkfifo', [fifo]);
  for (const other of [fifo, dirname(fifo), '/dev/null']) {
    const error = `confab-webhooks: Cannot write ${other}: it is not a regular file. Pass another name to --record.`;
    expect(await runCommand(['listen', '--port', '0', ...header, '--record', other])).toEqual({
      ...{ code: 2, out: '', error },
    });
  }
});

test.each([
  { headers: [['x a', 'b']], body: '' },
  { headers: [['x-a', 'b\nc']], body: '' },
  { headers: [['x-a', 'b', 'Host', 'elsewhere']], body: '' },
  { headers: [], body: 'not base64' },
  {},
])('replay names a line that is not a delivery: %j', async (delivery) => {
  const file = await fileWith(`{"headers":[["x-a","b"]],"body":"e30="}\n${JSON.stringify(delivery)}\n`);
  const { code, error } = await runCommand(['replay', file]);
  const problem = `Line 2 of ${file} is not a delivery that "listen --record" wrote. Remove the line to send the others.`;
  expect([code, error]).toEqual([2, `confab-webhooks: ${problem}`]);
});

test('replay sends what comes before a last line that is cut off, and names that line', async () => {
  const app = await startApp();
  const file = await fileWith('{"headers":[],"body":"e30="}\n{"headers":[],"bo');
  const out = `200 the app responds\nLine 2 of ${file} is cut off, so it was not sent.`;
  expect(await runCommand(['replay', file, '--to', app.url])).toEqual({ code: 1, error: '', out });

  const recorder = await startListening(...header, '--record', file);
  await deliver(recorder.url);
  const [, cutOff, recorded] = (await readFile(file, 'utf8')).split('\n');
  expect([cutOff, recorded]).toEqual(['{"headers":[],"bo', expect.stringContaining('"receivedAt"')]);
});

test('send signs an event and prints the response', async () => {
  const app = await startApp();
  const send = (...args: string[]) => runCommand(['send', ...args, '--to', app.url, ...header]);
  expect(await send('message.created')).toEqual({ code: 0, error: '', out: '200 the app responds' });
  await send('lead.scored', '--data', '{"score":1}');
  await send('other', '--data', `@${await fileWith('{"from":"a file"}')}`);
  const webhooks = createWebhooks(options);
  const events = app.requests.map((request) => webhooks.unwrap(request.body, request.headers));
  expect(await Promise.all(events)).toMatchObject([
    { event: 'message.created', known: true },
    { event: 'lead.scored', data: { score: 1 } },
    { event: 'other', data: { from: 'a file' } },
  ]);
  expect(app.requests[0]?.headers.get('content-type')).toBe('application/json');
  const hint = 'message.create has no sample, so its data is {}. Did you mean message.created?';
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
])('send and listen end with a receiver that responds with %s', async (_, response, expected) => {
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
  const line = `The server at ${new URL(app).origin} does not speak TLS. Is it http?`;
  expect([code, out]).toEqual([1, line]);
});

test('send ends with a receiver whose response never ends', async () => {
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

test('send and listen say how long they waited, and listen ends at once while the app hangs', async () => {
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

test('listen refuses a delivery that comes back to another spelling of its address, and records it once', async () => {
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

test('listen forwards what another listen forwarded, because only its own deliveries are a loop', async () => {
  const second = await startListening(...header, '--forward-to', (await startApp()).url);
  const first = await startListening(...header, '--forward-to', second.url);
  expect((await deliver(first.url)).status).toBe(200);
});

test('what strangers wrote, and invalid flags, reach the terminal escaped, on one line', async () => {
  const { url, lines } = await startListening(...header);
  const hostile = 'x\u001b]0;title\u0007\n200 \u009b31m\u202e\u2028\ud83d\ude00\u{e0041}';
  await deliver(url, { event: hostile, data: { [hostile]: 1 } });
  const escaped = 'x\\u001b]0;title\\u0007\\u000a200 \\u009b31m\\u202e\\u2028😀\\udb40\\udc41';
  expect(lines.slice(1)).toEqual([`200 ${escaped} {"${escaped.replace('\\u000a', '\\n')}":1}`]);
  const { error } = await runCommand(['sign', '--header', 'x\u202e\u009b2J\u2028']);
  expect(error).toBe(
    'confab-webhooks: `signature.header` must be a header name, got "x\\u202e\\u009b2J\\u2028".',
  );
});

const unset = { CONFAB_WEBHOOK_SECRET: '' };

test.each<[args: string, problem: string, env?: Record<string, string>]>([
  ['', 'No command. Use sign, verify, detect, listen, send or replay'],
  ['sign', 'No --header. Pass the name of the header'],
  ['sign --header x?y', '`signature.header` must be a header name'],
  ['sign --options {', '--options must be a JSON object, got "{".'],
  ['sign --header x --options {"prefx":"v1="}', 'Unknown field of signature `prefx`. Did you mean `prefix`?'],
  ['sign --secrte=hunter2', 'confab-webhooks: Unknown flag --secrte. See --help.'],
  ['sign --header --options x', '--header needs a value. If the value starts with a dash, write --header='],
  [
    'sign --header x --scheme stripe',
    '--scheme must be one of plain, standard-webhooks, timestamped, got "stripe".',
  ],
  [
    'sign --scheme standard-webhooks',
    'If the sender uses its characters as the key, pass --secret-encoding text.',
  ],
  ['sign --scheme standard-webhooks --header x', 'Unknown option of standardWebhooks `header`'],
  ['sign --header x /no/such/file', '/no/such/file does not exist.'],
  [
    'sign --header x --secret 0g --secret-encoding hex',
    'The secret is not hex. Check it, or change --secret-',
  ],
  ['sign --header x --secret a!b --secret-encoding base64', 'The secret is not base64.'],
  ['sign --header x --secret whsec_a0a --secret-encoding base64', 'Remove the prefix.'],
  ['sign --header x', 'No secret. Set CONFAB_WEBHOOK_SECRET, or pass --secret.', {}],
  ['detect', 'No -H. Pass each header of the delivery, such as -H "name: value".'],
  ['verify --header x -H nocolon', '-H must be "name: value", got "nocolon".'],
  ['listen --port 0', '`secret` is empty', unset],
  ['listen --header x --forward-to localhost:80', '--forward-to must be an http or https URL'],
  ['listen --header x --record /no/such/file', 'Cannot write /no/such/file'],
  ['listen --port 65536', 'must be a whole number from 0 to 65535, got'],
  ['listen --port 3.5', 'must be a whole number from 0 to 65535, got'],
  ['listen --port=', '--port must not be empty. Is its environment variable set?'],
  [
    'listen --port 0 --host 203.0.113.1',
    'This machine does not have the address "203.0.113.1". Check --host',
  ],
  ['send a.b --tp x', 'Unknown flag --tp. Did you mean --to?'],
  ['send a.b --header x --data {', '--data must be JSON, or @'],
  ['send a.b --timeout 1s', 'must be a number from 0 to 4294967, got'],
  ['send a.b --timeout Infinity', 'must be a number from 0 to 4294967, got'],
  ['sign --options [1]', '--options must be a JSON object, got "[1]".'],
  ['sign --header x --secret-encoding text', '`secret` is empty. Is its environment variable set?', unset],
  ['replay /dev/null', '/dev/null contains no deliveries'],
])('incorrect usage prints one line and exits with 2: %s', async (args, problem, env) => {
  const { code, out, error } = await runCommand(args.split(' ').filter(Boolean), '', env);
  expect([code, out, error]).toEqual([2, '', expect.stringContaining(problem)]);
  expect(error).not.toMatch(/hunter2|whsec_a0a|a!b|0g|\n/);
});

const COMMANDS = ['sign', 'verify', 'detect', 'listen', 'send', 'replay'];

test.each(['--help', 'help'])('%s prints every command', async (arg) => {
  const { code, out } = await runCommand([arg], '', {});
  expect([code, COMMANDS.filter((name) => !out.includes(`\n  ${name} `))]).toEqual([0, []]);
});

test.each(COMMANDS)('%s has help with an example', async (name) => {
  const { code, out } = await runCommand([name, '--help'], '', {});
  const form = `^Usage: confab-webhooks ${name} [^]*^Example:\n  confab-webhooks ${name}`;
  expect([code, out]).toEqual([0, expect.stringMatching(new RegExp(form, 'm'))]);
});

test('--version prints the version of the package', async () => {
  const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
  for (const args of [['--version'], ['sign', '--version']]) {
    expect(await runCommand(args, '', {})).toEqual({ out: version, error: '', code: 0 });
  }
});
