import { readFile } from 'node:fs/promises';
import type { Signature } from '@confab/webhooks';
import { createWebhooks, sign, standardWebhooks, timestamped } from '@confab/webhooks';
import { expect, test } from 'vitest';
import { deliver, header, options, runCommand, startListening } from './support/cli.ts';
import { message, secret, signature } from './support/receiver.ts';

const body = JSON.stringify(message);

/** The arguments for a captured delivery. */
const captured = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);

const encoded = { CONFAB_WEBHOOK_SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' };

const schemes: Record<string, (schemeOptions: never) => Signature> = {
  plain: (schemeOptions) => schemeOptions,
  'standard-webhooks': standardWebhooks,
  timestamped,
};

test.each<[name: string, schemeOptions: object]>([
  ['plain', { header: 'x-sig', encoding: 'hex' }],
  ['plain', { header: 'x', encoding: 'base64', prefix: 'v1=', timestamp: { header: 'y', separator: ':' } }],
  ['standard-webhooks', {}],
  ['standard-webhooks', { headerPrefix: 'svix' }],
  ['timestamped', { header: 'x-sig' }],
  [
    'timestamped',
    { header: 'x', timestampField: 'ts', signatureField: 'h1', delimiter: ';', separator: ':' },
  ],
])('sign, verify and detect work with the scheme %s and the options %j', async (name, schemeOptions) => {
  const flags = ['--scheme', name, '--options', JSON.stringify(schemeOptions)];
  const scheme = schemes[name]?.(schemeOptions as never) ?? signature;
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
  expect(lost).toMatchObject({
    code: 1,
    out: expect.stringMatching(/^No signature was found. Tried:\n- /),
  });
});

test('verify explains why it refuses a delivery, and which option or command helps', async () => {
  const timed = { header: 'x-sig', timestamp: { header: 'x-time' } };
  const old = captured(await sign(body, { secret, signature: timed, timestamp: 1_700_000_000 }));
  const verify = async (...args: string[]) => (await runCommand(['verify', ...args], body)).out;
  expect(await verify('--options', JSON.stringify(timed), ...old)).toMatch(
    /^refused: TIMESTAMP_OUT_OF.*\n.*\nTo accept an old delivery, raise toleranceSeconds in --options\.$/,
  );
  const fine = { ...timed, timestamp: { ...timed.timestamp, unit: 'milliseconds' } } as const;
  const inMilliseconds = captured(await sign(body, { secret, signature: fine }));
  expect(await verify('--options', JSON.stringify(timed), ...inMilliseconds)).toMatch(
    /^refused: TIMESTAMP_OUT_OF.*\nThe timestamp is in milliseconds\. Add "unit":"milliseconds" to --options\.$/,
  );
  const arrived = captured(await sign(body, options));
  expect(
    await verify(...header, ...captured({ 'x-sig': '0'.repeat(64), 'content-encoding': 'gzip' })),
  ).toMatch(/^refused: SIGNATURE_MISMATCH\n.* after it was signed, add "decompress":true to --options\.$/);
  expect(await verify(...header, ...arrived, ...arrived)).toMatch(/^refused: AMBIGUOUS_SIGNATURE\n/);
  expect(await verify(...header)).toContain('"confab-webhooks detect" finds the right one');
});

const key = Buffer.from('the key of the sender, in 32 byte');

test.each<[encoding: string, text: string, scheme: string, code: string]>([
  ['base64', key.toString('base64'), '--header x-sig', "Buffer.from(secret, 'base64')"],
  ['hex', key.toString('hex'), '--header x-sig', "Buffer.from(secret, 'hex')"],
  ['text', key.toString(), '--scheme standard-webhooks', 'new TextEncoder().encode(secret)'],
])('a secret in %s works with the flag that detect recommends', async (encoding, text, scheme, code) => {
  const flags = [...scheme.split(' '), '--secret', text, '--secret-encoding', encoding];
  const { url } = await startListening(...flags);
  const sent = await runCommand(['send', 'message.created', '--to', url, ...flags]);
  expect(sent).toMatchObject({ code: 0, out: '200 {"ok":true}' });
  const signed = await sign(body, {
    secret: key,
    signature: scheme === '--header x-sig' ? signature : standardWebhooks(),
  });
  const arrived = captured(signed);
  expect(await runCommand(['verify', ...flags, ...arrived], body)).toMatchObject({ code: 0 });
  const { out } = await runCommand(['detect', '--secret', text, ...arrived], body);
  expect(out).toContain(`pass --secret-encoding ${encoding} to the other commands, and ${code}`);
});

test('deliveries of strangers and invalid flags are printed on one line, with escaped control characters', async () => {
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
  ['', 'Pass a command: sign, verify, detect, listen, send or replay'],
  ['sign', '--header is missing. Pass the name of the header'],
  ['sign --header x?y', '`signature.header` must be a header name'],
  ['sign --options {', '--options must be a JSON object, got "{".'],
  ['sign --options [1]', '--options must be a JSON object, got "[1]".'],
  ['sign --header x --options {"prefx":"v1="}', 'Unknown signature field `prefx`. Did you mean `prefix`?'],
  [
    'sign --secrte=hunter2',
    'confab-webhooks: Unknown flag --secrte. Did you mean --secret? See confab-webhooks sign --help.',
  ],
  ['sign --header x --scheme stripe', '--scheme must be one of plain, standard-webhooks, timestamped, got'],
  ['sign --scheme standard-webhooks', 'as the key, pass --secret-encoding text.'],
  ['sign --scheme standard-webhooks --header x', 'Unknown standardWebhooks option `header`'],
  ['sign --header x /no/such/file', '/no/such/file does not exist.'],
  ['sign --header x --secret 0g --secret-encoding hex', 'The secret is not hex. Check it, or change'],
  ['sign --header x --secret a!b --secret-encoding base64', 'The secret is not base64.'],
  ['sign --header x --secret v1,whsec_a0a --secret-encoding base64', 'Remove the prefix.'],
  ['sign --header x --secret-encoding text', '`secret` is empty. Is its environment variable set?', unset],
  ['sign --header x', 'The secret is missing. Set CONFAB_WEBHOOK_SECRET, or pass --secret.', {}],
  ['detect', '-H is missing. Pass each header of the delivery, such as -H "name: value".'],
  ['verify --header x -H nocolon', '-H must be "name: value", got "nocolon".'],
  ['listen --port 0', '`secret` is empty', unset],
  ['listen --port 65536', 'must be a whole number from 0 to 65535, got'],
  [
    'listen --port 0 --host 203.0.113.1',
    'This machine does not have the address "203.0.113.1". Check --host',
  ],
  ['listen --header x --forward-to localhost:80', '--forward-to must be an http or https URL'],
  ['listen --forward-to ftp://me:hunter2@[::1]/', '--forward-to must be an http or https URL without a user'],
  ['listen --header x --record /no/such/file', 'Cannot write /no/such/file'],
  ['send a.b --header x --to http://me:hunter2@[::1]/', '--to must be an http or https URL without a user'],
  ['send a.b --header x --data {', '--data must be JSON, or @'],
  ['send a.b --timeout 1s', 'must be a number from 0 to 4294967, got'],
  ['replay x --to http://hunter2@', '--to must be an http or https URL without a user name and password.'],
  ['replay /dev/null', '/dev/null contains no deliveries'],
])('incorrect usage prints one line and exits with 2: confab-webhooks %s', async (args, problem, env) => {
  const { code, out, error } = await runCommand(args.split(' ').filter(Boolean), '', env);
  expect([code, out, error]).toEqual([2, '', expect.stringContaining(problem)]);
  expect(error).not.toMatch(/hunter2|whsec_a0a|a!b|0g|\n/);
});

test.each(['sign', 'verify', 'detect', 'listen', 'send', 'replay'])(
  '%s --help prints an example',
  async (name) => {
    expect((await runCommand(['--help'], '', {})).out).toContain(`\n  ${name} `);
    const { code, out } = await runCommand([name, '--help'], '', {});
    const form = `^Usage: confab-webhooks ${name} [^]*^Example:\n  confab-webhooks ${name}`;
    expect([code, out]).toEqual([0, expect.stringMatching(new RegExp(form, 'm'))]);
  },
);

test('--version prints the version of the package', async () => {
  const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
  expect(await runCommand(['sign', '--version'], '', {})).toEqual({ out: version, error: '', code: 0 });
});
