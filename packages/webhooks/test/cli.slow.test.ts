import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { listen } from '@confab/internal/test-support';
import { createWebhooks, sign, signedRequest, standardWebhooks, timestamped } from '@confab/webhooks';
import { expect, onTestFinished, test } from 'vitest';

const secret = 'a secret of the test';
const binary = fileURLToPath(new URL('../src/cli/confab-webhooks.ts', import.meta.url));
const message = {
  event: 'message.created',
  data: { conversationId: 'c1', channel: 'web', body: 'Hi' },
};
const body = JSON.stringify(message);

/** Raw headers as names with values. */
const pairsOf = (raw: readonly string[]) =>
  Array.from({ length: raw.length / 2 }, (_, at): [string, string] => [
    raw[at * 2] ?? '',
    raw[at * 2 + 1] ?? '',
  ]);

const start = (args: string[], env: Record<string, string> = { CONFAB_WEBHOOK_SECRET: secret }) =>
  spawn(process.execPath, [binary, ...args], { env });

const run = async (args: string[], input: string | Uint8Array = '', env?: Record<string, string>) => {
  const child = start(args, env);
  child.stdin.on('error', () => {}).end(input);
  const [out, error, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { out: out.trimEnd(), error: error.trimEnd(), code };
};

test('sign prints the headers that sign standard input', async () => {
  const signature = {
    header: 'x-sig',
    encoding: 'base64',
    prefix: 'v1=',
    timestamp: { header: 'x-time', separator: ':' },
  };
  const args = [
    '--header',
    'x-sig',
    '--encoding',
    'base64',
    '--prefix',
    'v1=',
    '--timestamp-header',
    'x-time',
  ];
  const { out, code } = await run(['sign', ...args, '--separator', ':', '--timestamp', '1700000000'], body);
  const headers = await sign(body, {
    secret,
    signature: { ...signature, encoding: 'base64' },
    timestamp: 1_700_000_000,
  });
  expect(code).toBe(0);
  expect(out.split('\n')).toEqual(Object.entries(headers).map(([name, value]) => `${name}: ${value}`));
});

test('verify prints the event of a genuine delivery and exits with 1 for a forged one', async () => {
  const headers = await sign(body, { secret, signature: { header: 'x-sig' } });
  const args = ['verify', '--header', 'X-Sig', '-H', `x-sig: ${headers['x-sig']}`];
  expect(await run(args, body)).toMatchObject({ code: 0, out: 'genuine: message.created' });
  const forged = await run(args, `${body} `);
  expect(forged.code).toBe(1);
  expect(forged.out).toMatch(/^refused: SIGNATURE_MISMATCH\n/);
  expect(await run([...args, '-H', `x-sig: ${headers['x-sig']}`], body)).toMatchObject({
    code: 1,
    out: expect.stringContaining('AMBIGUOUS_SIGNATURE'),
  });
});

test('verify checks the timestamp against --tolerance', async () => {
  const signature = { header: 'x-sig', timestamp: { header: 'x-time' } };
  const headers = await sign(body, { secret, signature, timestamp: 1_700_000_000 });
  const args = ['verify', '--header', 'x-sig', '--timestamp-header', 'x-time'];
  args.push('-H', `x-sig: ${headers['x-sig']}`, '-H', `x-time: ${headers['x-time']}`);
  expect(await run(args, body)).toMatchObject({ code: 1, out: expect.stringContaining('OUT_OF_TOLERANCE') });
  expect(await run([...args, '--tolerance', '1e12'], body)).toMatchObject({ code: 0 });
});

test('detect prints the signature option, or the list of its attempts', async () => {
  const headers = await sign(body, { secret, signature: { header: 'x-sig', prefix: 'sha256=' } });
  const found = await run(['detect', '-H', 'Host: x', '-H', `X-Sig: ${headers['x-sig']}`], body);
  expect(found.code).toBe(0);
  expect(JSON.parse(found.out.replace('found: signature: ', ''))).toEqual({
    header: 'x-sig',
    encoding: 'hex',
    prefix: 'sha256=',
  });
  const lost = await run(['detect', '-H', 'x-sig: abc'], body);
  expect(lost.code).toBe(1);
  expect(lost.out).toMatch(/^not found, tried:\n- .*x-sig/);
});

const encoded = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const encodedSecret = { CONFAB_WEBHOOK_SECRET: encoded };

test.each([
  [standardWebhooks(), ['--scheme', 'standard-webhooks']],
  [standardWebhooks({ headerPrefix: 'svix' }), ['--scheme', 'standard-webhooks', '--header-prefix', 'svix']],
  [timestamped({ header: 'x-sig' }), ['--scheme', 'timestamped', '--header', 'x-sig']],
  [
    timestamped({ header: 'x', timestampField: 'ts', signatureField: 'h1', delimiter: ';', separator: ':' }),
    [
      ...['--scheme', 'timestamped', '--header', 'x', '--timestamp-field', 'ts'],
      ...['--signature-field', 'h1', '--delimiter', ';', '--separator', ':'],
    ],
  ],
] as const)('%o: the commands sign, verify and detect', async (signature, flags) => {
  const options = { secret: encoded, signature };
  const signed = await run(['sign', ...flags], body, encodedSecret);
  const lines = signed.out.split('\n');
  const headers = lines.map((line) => line.split(': ') as [string, string]);
  expect(await createWebhooks(options).unwrap(body, headers)).toMatchObject(message);

  const given = lines.flatMap((line) => ['-H', line]);
  const [verified, forged, detected] = await Promise.all([
    run(['verify', ...flags, ...given], body, encodedSecret),
    run(['verify', ...flags, ...given], `${body} `, encodedSecret),
    run(['detect', ...given], body, encodedSecret),
  ]);
  expect(verified).toMatchObject({ code: 0, out: 'genuine: message.created' });
  expect(forged).toMatchObject({ code: 1, out: expect.stringMatching(/^refused: SIGNATURE_MISMATCH/) });
  expect(detected).toMatchObject({ code: 0, out: `found: signature: ${signature.source}` });
});

test('detect reports a secret whose characters are the key', async () => {
  const headers = await sign(body, {
    secret: new TextEncoder().encode(secret),
    signature: standardWebhooks(),
  });
  const given = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const { out } = await run(['detect', ...given], body);
  expect(out).toMatch(
    /^found: signature: standardWebhooks\(\)\nThe sender uses the characters of the secret/,
  );
});

/** Starts `listen` on a free port. `line()` returns the next line of output. */
const startListening = async (args: string[]) => {
  const child = start(['listen', '--port', '0', ...args]);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const line = async () => (await lines.next()).value as string;
  const url = (await line()).replace('listening on ', '');
  return { child, line, url };
};

test('listen prints each delivery or why it was refused, and exits with 0 on SIGINT', async () => {
  const { child, line, url } = await startListening(['--header', 'x-sig']);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect((await fetch(await signedRequest(url, message, options))).status).toBe(200);
  expect(await line()).toBe(`200 message.created ${JSON.stringify(message.data)}`);
  const other = { event: 'status.changed', data: { status: 'open' } };
  expect((await fetch(await signedRequest(url, other, options))).status).toBe(200);
  expect(await line()).toBe('200 status.changed {"status":"open"}');
  expect((await fetch(await signedRequest(url, message, { ...options, secret: 'guess' }))).status).toBe(401);
  expect(await line()).toMatch(/^401 SIGNATURE_MISMATCH: The signature does not match/);
  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('listen without --header finds the signature of each delivery', async () => {
  const { child, line, url } = await startListening([]);
  expect(await line()).toMatch(/^no --header/);
  const signature = { header: 'x-any', encoding: 'base64', prefix: 'v1=' } as const;
  expect((await fetch(await signedRequest(url, message, { secret, signature }))).status).toBe(200);
  expect(await line()).toBe(`found: signature: ${JSON.stringify(signature)}`);
  expect(await line()).toBe(`200 message.created ${JSON.stringify(message.data)}`);
  expect((await fetch(url, { method: 'POST', body: 'x' })).status).toBe(401);
  expect(await line()).toBe('not found, tried:');
  const large = await fetch(url, { method: 'POST', body: 'x'.repeat(1_048_577) });
  expect(large.status).toBe(413);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

/** A receiver that keeps what arrives, and responds with the given status. */
const startApp = async (status = 200) => {
  const requests: { readonly headers: string[]; readonly body: string }[] = [];
  const url = await listen(async (request, response) => {
    requests.push({ headers: request.rawHeaders, body: await text(request) });
    response.writeHead(status).end('the app\nresponds');
  });
  return { url: `${url}/webhooks`, requests };
};

const options = { secret, signature: { header: 'x-sig' } };

/** The name of a file that does not exist yet. */
const temporaryFile = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'confab-webhooks-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return join(folder, 'deliveries.jsonl');
};

test('listen forwards genuine deliveries unchanged, and the sender gets the response of the app', async () => {
  const app = await startApp(202);
  const { child, line, url } = await startListening(['--header', 'x-sig', '--forward-to', app.url]);
  const request = await signedRequest(url, message, options);
  request.headers.set('X-Custom', 'a, b');
  const response = await fetch(request);
  expect([response.status, await response.text()]).toEqual([202, 'the app\nresponds']);
  expect(await line()).toBe(`202 message.created ${JSON.stringify(message.data)}`);
  expect(await line()).toBe('-> 202 the app responds');
  expect(app.requests[0]?.body).toBe(body);
  const received = new Headers(pairsOf(app.requests[0]?.headers ?? []));
  expect(received.get('x-custom')).toBe('a, b');
  expect(received.get('x-sig')).toBe(request.headers.get('x-sig'));
  expect(received.get('host')).toBe(new URL(app.url).host);

  expect((await fetch(url, { method: 'POST', body: 'forged' })).status).toBe(401);
  expect(app.requests).toHaveLength(1);
  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('while the app is away, the sender gets a 502, so it delivers again', async () => {
  const { child, line, url } = await startListening([
    '--header',
    'x-sig',
    '--forward-to',
    'http://127.0.0.1:2/',
  ]);
  expect((await fetch(await signedRequest(url, message, options))).status).toBe(502);
  expect(await line()).toMatch(/^502 message\.created /);
  expect(await line()).toBe('-> no response from http://127.0.0.1:2: ECONNREFUSED');
  child.kill('SIGINT');
  await once(child, 'exit');
});

test('listen records genuine deliveries, and replay sends them again, signed again if asked', async () => {
  const file = await temporaryFile();
  const { child, url } = await startListening(['--header', 'x-sig', '--record', file]);
  const first = await signedRequest(url, message, options);
  const signature = first.headers.get('x-sig');
  first.headers.set('webhook-id', 'recorded');
  await fetch(first);
  await fetch(await signedRequest(url, { event: 'other', data: { text: 'é\n' } }, options));
  await fetch(url, { method: 'POST', body: 'forged' });
  child.kill('SIGINT');
  await once(child, 'exit');
  const { mode } = await stat(file);
  expect(mode & 0o777).toBe(0o600);

  const app = await startApp();
  const replayed = await run(['replay', file, '--to', app.url], '', {});
  expect(replayed).toEqual({ code: 0, error: '', out: '200 the app responds\n200 the app responds' });
  expect(app.requests.map((request) => request.body)).toEqual([
    body,
    '{"event":"other","data":{"text":"é\\n"}}',
  ]);
  expect(new Headers(pairsOf(app.requests[0]?.headers ?? [])).get('x-sig')).toBe(signature);

  const flags = ['--header', 'X-Sig', '--timestamp-header', 'x-time', '--secret', 'another secret'];
  expect(await run(['replay', file, '--to', app.url, ...flags], '', {})).toMatchObject({ code: 0 });
  const again = app.requests[2];
  const stamped = { header: 'x-sig', timestamp: { header: 'x-time' } };
  const webhooks = createWebhooks({ secret: 'another secret', signature: stamped });
  expect(await webhooks.unwrap(again?.body ?? '', pairsOf(again?.headers ?? []))).toMatchObject(message);

  // fetch() sends names in lower case, but other senders do not.
  await writeFile(file, (await readFile(file, 'utf8')).replace('"webhook-id"', '"Webhook-Id"'));
  const scheme = ['--scheme', 'standard-webhooks', '--secret', encoded];
  expect(await run(['replay', file, '--to', app.url, ...scheme], '', {})).toMatchObject({ code: 0 });
  const withId = app.requests[4];
  const standard = createWebhooks({ secret: encoded, signature: standardWebhooks() });
  const { id } = await standard.verify(withId?.body ?? '', pairsOf(withId?.headers ?? []));
  expect(id).toMatch(/^msg_/);

  const failing = await startApp(500);
  expect(await run(['replay', file, '--to', failing.url], '', {})).toMatchObject({ code: 1 });
});

test('send signs an event and prints the response', async () => {
  const app = await startApp();
  const send = (...args: string[]) => run(['send', ...args, '--to', app.url, '--header', 'x-sig']);
  expect(await send('message.created')).toEqual({ code: 0, error: '', out: '200 the app responds' });
  expect(await send('lead.scored', '--data', '{"score":1}')).toMatchObject({ code: 0 });
  const file = await temporaryFile();
  await writeFile(file, '{"from":"a file"}');
  expect(await send('other', '--data', `@${file}`)).toMatchObject({ code: 0 });
  const webhooks = createWebhooks(options);
  const events = await Promise.all(
    app.requests.map((request) => webhooks.unwrap(request.body, pairsOf(request.headers))),
  );
  expect(events).toMatchObject([
    { event: 'message.created', known: true },
    { event: 'lead.scored', data: { score: 1 } },
    { event: 'other', data: { from: 'a file' } },
  ]);
  expect(new Headers(pairsOf(app.requests[0]?.headers ?? [])).get('content-type')).toBe('application/json');

  const refusing = await startApp(401);
  const refused = await run(['send', 'a', '--to', refusing.url, '--header', 'x-sig']);
  expect(refused).toMatchObject({ code: 1, out: '401 the app responds' });
  const away = await run(['send', 'a', '--to', 'http://127.0.0.1:2', '--header', 'x-sig']);
  expect(away).toMatchObject({ code: 1, out: 'no response from http://127.0.0.1:2: ECONNREFUSED' });
});

test.each([
  [[], /No command\. Use sign, verify, detect, listen, send or replay/],
  [['sing'], /unknown command 'sing' \(Did you mean sign\?\)/],
  [['toString'], /unknown command 'toString'/],
  [['--hepl'], /unknown option '--hepl' \(Did you mean --help\?\)/],
  [['sign'], /No --header\. Pass the name of the header/],
  [['sign', '--header', 'x y'], /signature\.header must be a header name/],
  [['sign', '--header', 'x', '--encoding', 'hax'], /Allowed choices are auto, hex, base64, base64url/],
  [
    ['sign', '--header', 'x', '--timestamp-header', 't', '--timestamp', 'now'],
    /'now' is invalid\. It must be a Unix time in whole seconds\./,
  ],
  [
    ['sign', '--header', 'x', '--timestamp-header', 't', '--tolerance', '5m'],
    /'5m' is invalid\. It must be a positive number of seconds\./,
  ],
  [['detect'], /No -H\. Pass each header of the delivery, such as -H "name: value"\./],
  [['sign', '--headr', 'x'], /unknown option '--headr' \(Did you mean --header\?\) See --help\./],
  [['sign', '--secrte=hunter2'], /^confab-webhooks: unknown option '--secrte' See --help\.$/],
  [['sign', '-H', 'x: y'], /unknown option '-H'/],
  [['sign', '--header'], /option '--header <name>' argument missing/],
  [
    ['sign', '--header', '--prefix', 'x'],
    /--header needs a value\. If it starts with a dash, write --header=VALUE/,
  ],
  [['sign', '--header', 'x', '--timestamp', '5'], /--timestamp needs --timestamp-header/],
  [
    ['sign', '--header', 'x-t', '--timestamp-header', 'X-T'],
    /timestamp\.header must not be signature\.header/,
  ],
  [['verify', '--header', 'x', '--tolerance', '5'], /--tolerance need --timestamp-header/],
  [
    ['sign', '--header', 'x', '--scheme', 'stripe'],
    /Allowed choices are plain, standard-webhooks, timestamped/,
  ],
  [['sign', '--scheme', 'timestamped'], /No --header/],
  [
    ['sign', '--scheme', 'standard-webhooks', '--header', 'x'],
    /--header does not apply to --scheme standard-/,
  ],
  [['sign', '--header', 'x', '--delimiter', ';'], /--delimiter does not apply to --scheme plain/],
  [['sign', '--header', 'x', '--id', 'y'], /--id needs --scheme standard-webhooks/],
  [['sign', '--scheme', 'standard-webhooks'], /secret must be base64/],
  [['listen', '--prefix', 'x'], /No --header\. Pass the name of the header/],
  [['listen', 'body.json'], /too many arguments for 'listen'/],
  [['sign', '--header', 'x', '/no/such/file'], /Cannot read \/no\/such\/file/],
  [['sign', '--header', 'x', 'one', 'two'], /too many arguments for 'sign'/],
  [['verify', '--header', 'x', '-H', 'no colon'], /'no colon' is invalid\. It must be "name: value"/],
  [['listen', '--header', 'x', '--forward-to', 'localhost:80'], /It must be an http or https URL/],
  [['listen', '--header', 'x', '--record', '/no/such/file'], /Cannot write \/no\/such\/file/],
  [['send', '--to', 'http://r.test', '--header', 'x'], /missing required argument 'event'/],
  [['send', 'a.b', '--header', 'x'], /required option '--to <url>' not specified/],
  [['send', 'a.b', '--to', 'ftp://r.test', '--header', 'x'], /'ftp:\/\/r\.test' is invalid/],
  [['send', 'a.b', '--to', 'http://r.test', '--header', 'x', '--data', '{'], /--data must be JSON, or @/],
  [
    ['send', 'a.b', '--to', 'http://r.test', '--timeout', '0'],
    /It must be a positive number of seconds up to/,
  ],
  [['replay'], /missing required argument 'file'/],
  [['replay', '/no/such/file'], /Cannot read \/no\/such\/file/],
  [['replay', '/dev/null'], /\/dev\/null contains no deliveries/],
  [['replay', binary], /Line 1 of .* is invalid/],
  [['listen', '--port', '65536'], /It must be a whole number from 0 to 65535/],
  [
    ['listen', '--port', '0', '--host', '203.0.113.1'],
    /This machine does not have the address "203\.0\.113\.1"\. Check --host/,
  ],
])('incorrect usage prints one line and exits with 2: %o', async (args, message) => {
  const { code, error, out } = await run(args);
  expect([code, out]).toEqual([2, '']);
  expect(error).toMatch(message);
  expect(error).not.toContain('hunter2');
  expect(error.split('\n')).toHaveLength(1);
});

test('without a secret, the error names the environment variable', async () => {
  const { code, error } = await run(['sign', '--header', 'x'], '', {});
  expect([code, error]).toEqual([
    2,
    expect.stringContaining('No secret. Set CONFAB_WEBHOOK_SECRET, or pass --secret.'),
  ]);
});

test.each(['', ' '])('listen refuses a secret of %j before any delivery', async (unusable) => {
  const { code, error } = await run(['listen', '--port', '0'], '', { CONFAB_WEBHOOK_SECRET: unusable });
  expect([code, error]).toEqual([2, expect.stringMatching(/secret (is empty|starts)/)]);
});

const COMMANDS = ['sign', 'verify', 'detect', 'listen', 'send', 'replay'];

test.each([[['--help']], [['-h']], [['help']]])('%o prints every command', async (args) => {
  const { code, out } = await run(args, '', {});
  expect(code).toBe(0);
  for (const name of COMMANDS) {
    expect(out).toMatch(new RegExp(`^  ${name} `, 'm'));
  }
});

test.each(COMMANDS)('%s has help with an example', async (name) => {
  for (const args of [
    [name, '--help'],
    ['help', name],
  ]) {
    const { code, out, error } = await run(args, '', {});
    expect([code, error]).toEqual([0, '']);
    expect(out).toMatch(new RegExp(`^Usage: confab-webhooks ${name} `));
    expect(out).toMatch(new RegExp(`^Example:\n  confab-webhooks ${name}`, 'm'));
  }
});

test('--version prints the version of the package', async () => {
  const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
  for (const args of [['--version'], ['-v'], ['sign', '--version']]) {
    expect(await run(args, '', {})).toEqual({ out: version, error: '', code: 0 });
  }
});

test('an output that closes early, as with head, is not an error', async () => {
  const child = start(['--help']);
  child.stdout.destroy();
  const [error, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect([error, code]).toEqual(['', 0]);
});

test('an unexpected error prints one line without a stack', async () => {
  const child = start(['sign', '--header', 'x', '/proc/self/mem']);
  const [error, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect(error.trimEnd().split('\n')).toHaveLength(1);
  expect(code).toBeGreaterThan(0);
});
