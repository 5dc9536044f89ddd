import { createHmac } from 'node:crypto';
import type { HeadersLike, Signature, SignatureOptions, TimestampOptions } from '@confab/webhooks';
import { createWebhooks, sign, standardWebhooks, WebhookConfigurationError } from '@confab/webhooks';
import { expect, test, vi } from 'vitest';
import { cryptoPaths } from './support/crypto-paths.ts';
import { codeOf, createReceiver, secret, signature } from './support/receiver.ts';

const body = '{"event":"x","data":{}}';
const digest = createHmac('sha256', secret).update(body).digest();
const hex = digest.toString('hex');
const base64 = digest.toString('base64');
const base64url = digest.toString('base64url');

const plain = createWebhooks({ secret, signature });
const check = (value: string, options: Partial<SignatureOptions> = {}) =>
  codeOf(
    createWebhooks({ secret, signature: { ...signature, ...options } }).verify(body, { 'x-sig': value }),
  );

/** Sets one of the two unused bits of the last of 43 characters. Lenient decoders read the same bytes. */
const withStrayBit = (encoded: string) => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  return encoded.slice(0, 42) + alphabet[alphabet.indexOf(encoded[42]!) + 1] + encoded.slice(43);
};

const sha256 = { prefix: 'sha256=' };

test.each<[title: string, options: Partial<SignatureOptions>, code: string, value: string]>([
  ['hex', {}, 'accepted', hex],
  ['base64', {}, 'accepted', base64],
  ['base64url', {}, 'accepted', base64url],
  ['base64url with its padding', { encoding: 'base64url' }, 'accepted', `${base64url}=`],
  ['base64', { encoding: 'hex' }, 'MALFORMED_SIGNATURE', base64],
  ['hex', { encoding: 'base64' }, 'MALFORMED_SIGNATURE', hex],
  ['base64', { encoding: 'base64url' }, 'MALFORMED_SIGNATURE', base64],
  ['base64url', { encoding: 'base64' }, 'MALFORMED_SIGNATURE', base64url],
  ['uppercase hex', {}, 'MALFORMED_SIGNATURE', hex.toUpperCase()],
  ['hex with junk at the end', {}, 'MALFORMED_SIGNATURE', `${hex}zz`],
  ['hex of 31 bytes', {}, 'MALFORMED_SIGNATURE', hex.slice(2)],
  ['hex and a line feed', {}, 'MALFORMED_SIGNATURE', `${hex}\n`],
  ['base64 without padding', { encoding: 'base64' }, 'MALFORMED_SIGNATURE', base64.slice(0, -1)],
  // atob() skips white space.
  ['base64 and a line feed', {}, 'MALFORMED_SIGNATURE', `${base64}\n`],
  ['base64 with a stray bit', {}, 'MALFORMED_SIGNATURE', withStrayBit(base64)],
  ['hex after its prefix', sha256, 'accepted', `sha256=${hex}`],
  ['hex after a prefix that is not configured', {}, 'MALFORMED_SIGNATURE', `sha256=${hex}`],
  ['hex without its prefix', sha256, 'MALFORMED_SIGNATURE', hex],
  ['hex after its prefix in upper case', sha256, 'MALFORMED_SIGNATURE', `SHA256=${hex}`],
])('verify() judges a signature in %s, with the options %j, as %s', async (_, options, code, value) => {
  expect(await check(value, options)).toBe(code);
});

const joined = new Headers([
  ['x-sig', hex],
  ['x-sig', hex],
]);

test.each<[code: string, forms: HeadersLike[]]>([
  [
    'accepted',
    [
      new Headers({ 'X-Sig': hex }),
      { 'x-sig': hex },
      { 'X-SIG': hex, other: undefined },
      { 'X-Sig': [hex] },
      [['X-sig', hex]],
      new Map([['X-Sig', hex]]),
      ['Host', 'x', 'X-Sig', hex],
    ],
  ],
  [
    'AMBIGUOUS_SIGNATURE',
    [
      joined,
      { 'x-sig': [hex, hex] },
      { 'x-sig': hex, 'X-Sig': hex },
      { 'x-sig': `${hex}, ${hex}` },
      ['x-sig', hex, 'X-Sig', hex],
      new Map(Object.entries({ 'x-sig': hex, 'X-Sig': hex })),
    ],
  ],
  [
    'MISSING_SIGNATURE',
    [{}, [], new Headers(), { 'x-sig': undefined }, { 'x-sig': [] }, { 'x-sig': '' }, { 'x-signature': hex }],
  ],
])('verify() judges headers of every shape as %s', async (code, forms) => {
  for (const headers of forms) {
    expect(await codeOf(plain.verify(body, headers))).toBe(code);
  }
});

test('a prefix with a comma does not hide a second signature', async () => {
  const webhooks = createWebhooks({ secret, signature: { header: 'x-sig', prefix: 'v1,' } });
  const headers = new Headers({ 'x-sig': `v1,${hex}` });
  expect(await codeOf(webhooks.verify(body, headers))).toBe('accepted');
  headers.append('x-sig', `v1,${hex}`);
  expect(await codeOf(webhooks.verify(body, headers))).toBe('AMBIGUOUS_SIGNATURE');
});

const NOW = 1_700_000_000;

const stamped = (options: Partial<TimestampOptions> = {}): Signature => ({
  ...signature,
  timestamp: { header: 'x-time', ...options },
});

test.each<[value: string | string[] | undefined, code: string, toleranceSeconds?: number]>([
  [String(NOW), 'accepted'],
  [`0${NOW}`, 'accepted'],
  [String(NOW - 11), 'TIMESTAMP_OUT_OF_TOLERANCE', 10],
  ['0', 'TIMESTAMP_OUT_OF_TOLERANCE'],
  ['999999999999999', 'TIMESTAMP_OUT_OF_TOLERANCE'],
  ...[`${NOW}abc`, '1.7e9', `+${NOW}`, ` ${NOW}`].map((value): [string, string] => [
    value,
    'MALFORMED_SIGNATURE',
  ]),
  ['١٧٠٠٠٠٠٠٠٠', 'MALFORMED_SIGNATURE'],
  ['1'.repeat(16), 'MALFORMED_SIGNATURE'],
  ['', 'MISSING_SIGNATURE'],
  [undefined, 'MISSING_SIGNATURE'],
  [[String(NOW), String(NOW)], 'AMBIGUOUS_SIGNATURE'],
  [`${NOW}, ${NOW}`, 'AMBIGUOUS_SIGNATURE'],
])('verify() judges a signed timestamp of %j as %s', async (value, code, toleranceSeconds) => {
  const webhooks = createWebhooks({
    secret,
    signature: stamped({ toleranceSeconds }),
    now: () => NOW * 1000,
  });
  const time = Array.isArray(value) ? value[0] : value;
  const signed = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
  expect(await codeOf(webhooks.verify(body, { 'x-sig': signed, 'X-Time': value }))).toBe(code);
});

test('with a clock that returns NaN, every signed timestamp is refused', async () => {
  const webhooks = createWebhooks({ secret, signature: stamped(), now: () => Number.NaN });
  const headers = await sign('{}', { secret, signature: stamped() });
  await expect(webhooks.verify('{}', headers)).rejects.toThrow('or a clock is wrong.');
});

test.each<[used: string | Uint8Array, secrets: readonly (string | Uint8Array | undefined)[], index: number]>([
  ['new', ['new', 'old', new Uint8Array([1, 2])], 0],
  ['old', ['new', 'old', new Uint8Array([1, 2])], 1],
  [new Uint8Array([1, 2]), ['new', 'old', new Uint8Array([1, 2])], 2],
  ['one', ['two', 'one', 'one', 'two'], 1],
  ['one', [undefined, 'one'], 1],
])(
  'a signature made with %o verifies with the first equal secret of %o',
  async (used, secrets, secretIndex) => {
    const headers = await sign('body', { secret: used, signature });
    const webhooks = createWebhooks({ secret: secrets, signature });
    expect(await webhooks.verify('body', headers)).toEqual({ secretIndex });
  },
);

test('verify() hashes every secret, whichever matches', async () => {
  using hashed = vi.spyOn(process.getBuiltinModule('node:crypto'), 'createHmac');
  const webhooks = createWebhooks({ secret: ['first', 'second', 'third'], signature });
  for (const used of ['first', 'second', 'third', 'none of them']) {
    const headers = await sign(body, { secret: used, signature });
    hashed.mockClear();
    const code = used === 'none of them' ? 'SIGNATURE_MISMATCH' : 'accepted';
    expect(await codeOf(webhooks.verify(body, headers))).toBe(code);
    expect(hashed).toHaveBeenCalledTimes(3);
  }
});

test('timingSafeEqual() compares digests if node:crypto exists, and verify() works without it', async () => {
  using compared = vi.spyOn(process.getBuiltinModule('node:crypto'), 'timingSafeEqual');
  for (const [calls, path] of cryptoPaths.entries()) {
    compared.mockClear();
    await path.createWebhooks({ secret, signature }).verify(body, { 'x-sig': hex });
    expect(compared).toHaveBeenCalledTimes(calls === 0 ? 1 : 0);
  }
});

test.each(cryptoPaths)('$name: a signature in which any one bit differs does not match', async (path) => {
  const webhooks = path.createWebhooks({ secret, signature });
  for (let bit = 0; bit < 256; bit += 1) {
    const changed = Buffer.from(digest);
    changed[bit >> 3]! ^= 1 << (bit & 7);
    expect(await codeOf(webhooks.verify(body, { 'x-sig': changed.toString('hex') }))).toBe(
      'SIGNATURE_MISMATCH',
    );
  }
});

test.each(cryptoPaths)('$name: signatures of a different length do not match', async ({ createWebhooks }) => {
  for (const bytes of [digest.subarray(1), Buffer.concat([digest, digest]), Buffer.alloc(0)]) {
    const read = () => ({ signatures: [bytes], preamble: '' });
    const scheme = { ...standardWebhooks(), key: () => new TextEncoder().encode(secret), read };
    const webhooks = createWebhooks({ secret, signature: scheme });
    expect(await codeOf(webhooks.verify(body, {}))).toBe('SIGNATURE_MISMATCH');
  }
});

test.each<[parsed: unknown, type: string]>([
  [undefined, 'undefined'],
  [{ event: 'x', data: {} }, 'an object'],
  [{ type: 'Buffer', data: [1] }, 'an object'],
  [Promise.resolve(body), 'a Promise: await it'],
])('verify() refuses a body of %o, which is not raw', async (parsed, type) => {
  await expect(plain.verify(parsed as string, { 'x-sig': hex })).rejects.toMatchObject({
    code: 'BODY_NOT_RAW',
    status: 500,
    message: expect.stringContaining(`because the body is ${type}. `),
  });
});

test.each(cryptoPaths)('$name: verify() accepts invalid UTF-8, and unwrap() refuses it', async (path) => {
  const webhooks = path.createWebhooks({ secret, signature });
  const bytes = new Uint8Array([...Buffer.from('{"event":"x","data":{"a":"'), 0xff, ...Buffer.from('"}}')]);
  const headers = await sign(bytes, { secret, signature });
  expect(await codeOf(webhooks.verify(bytes, headers))).toBe('accepted');
  await expect(webhooks.unwrap(bytes, headers)).rejects.toMatchObject({
    code: 'INVALID_ENCODING',
    message: expect.stringMatching(
      /is not valid UTF-8\. If it is compressed, decompress it after verify\(\)\.$/,
    ),
  });
});

test.each(cryptoPaths)('$name: unwrap() drops a signed byte order mark', async ({ createWebhooks }) => {
  const webhooks = createWebhooks({ secret, signature });
  const text = `\ufeff${body}`;
  const headers = await sign(text, { secret, signature });
  for (const form of [text, new TextEncoder().encode(text)]) {
    expect(await webhooks.unwrap(form, headers)).toEqual({ event: 'x', data: {}, known: false });
  }
  expect(await codeOf(webhooks.verify(text, { 'x-sig': hex }))).toBe('SIGNATURE_MISMATCH');
});

test('verify() refuses a text with a lone surrogate, which would be hashed as a different text', async () => {
  const replaced = await sign('"\ufffd"', { secret, signature });
  expect(await codeOf(plain.verify('"\ud800"', replaced))).toBe('INVALID_ENCODING');
});

test('verify() accepts a body of maxBodyBytes, and refuses one byte more before hashing', async () => {
  const webhooks = createWebhooks({ secret, signature, maxBodyBytes: 6 });
  for (const allowed of ['123456', 'éé', new Uint8Array(6), '€€']) {
    const headers = await sign(allowed, { secret, signature });
    expect(await codeOf(webhooks.verify(allowed, headers))).toBe('accepted');
  }
  for (const large of ['1234567', '€€1', new Uint8Array(7), new ArrayBuffer(7)]) {
    expect(await codeOf(webhooks.verify(large, {}))).toBe('BODY_TOO_LARGE');
  }
});

test.each<[message: string, options: Partial<SignatureOptions>, value: string]>([
  [
    '32 bytes in lowercase hex, base64 or base64url, got 11 characters. If genuine ones start with "sha256=", set `prefix` to it.',
    {},
    'sha256=junk',
  ],
  ['32 bytes in lowercase hex, base64 or base64url, got 9 characters.', {}, 'a;v1=junk'],
  ['"v1=" and 32 bytes in base64, got 7 characters.', { encoding: 'base64', prefix: 'v1=' }, 'v1=junk'],
  [
    '"v1=" and 32 bytes in lowercase hex, got 1 character without that prefix.',
    { encoding: 'hex', prefix: 'v1=' },
    'x',
  ],
  [
    '"sha256=" and 32 bytes in lowercase hex, got 71 characters.',
    { encoding: 'hex', prefix: 'sha256=' },
    `sha256=${hex.toUpperCase()}`,
  ],
])(
  'the error for a malformed signature says what its header must be: %s',
  async (message, options, value) => {
    const webhooks = createWebhooks({ secret, signature: { ...signature, ...options } });
    await expect(webhooks.verify(body, { 'x-sig': value })).rejects.toMatchObject({
      message: `The "x-sig" header must be ${message}`,
    });
  },
);

const late = 'but toleranceSeconds is 60. It is a replay, or a clock is wrong.';

test.each<[message: string, scheme: Signature, timestamp: number]>([
  ['The timestamp is in milliseconds. Set `unit`.', stamped(), NOW * 1000],
  ['The timestamp is in seconds. Set `unit`.', stamped({ unit: 'milliseconds' }), NOW / 1000],
  ['The timestamp is in milliseconds. This scheme uses seconds.', standardWebhooks(), NOW * 1000],
  [`The delivery was signed 600 s ago, ${late}`, stamped({ toleranceSeconds: 60 }), NOW - 600],
  [`The delivery was signed 600 s in the future, ${late}`, stamped({ toleranceSeconds: 60 }), NOW + 600],
])('the error for a refused timestamp says: %s', async (message, scheme, timestamp) => {
  const options = { secret: new TextEncoder().encode(secret), signature: scheme };
  const headers = await sign(body, { ...options, timestamp });
  const webhooks = createWebhooks({ ...options, now: () => NOW * 1000 });
  const refused = { code: 'TIMESTAMP_OUT_OF_TOLERANCE', status: 401, message };
  await expect(webhooks.verify(body, headers)).rejects.toMatchObject(refused);
});

const forged = 'It is forged, the secret is wrong, or ';

test.each<[body: string | Uint8Array, message: string]>([
  ['', `The signature does not match the empty body. ${forged}something read the body before.`],
  [new Uint8Array(), `The signature does not match the empty body. ${forged}something read the body before.`],
  ['{}', `The signature does not match the body. ${forged}the body was parsed and stringified again.`],
])('the error for a body of %o that does not match explains the likely cause', async (changed, message) => {
  const mismatch = { code: 'SIGNATURE_MISMATCH', message };
  await expect(plain.verify(changed, { 'x-sig': hex })).rejects.toMatchObject(mismatch);
});

test.each<[type: string, wrap: (headers: Record<string, string>) => unknown]>([
  ['a string', (headers) => headers['x-sig']],
  ['a Promise: await it', async (headers) => new Headers(headers)],
  ['a Request', (headers) => new Request('https://r.test/', { headers })],
  ['an object', (headers) => ({ headers })],
])('verify(), unwrap() and receive() ask for request.headers, not %s', async (type, wrap) => {
  const wrapped = wrap(await sign(body, { secret, signature })) as HeadersLike;
  const text = `Pass request.headers, not ${type}.`;
  const { webhooks, errors } = createReceiver();
  await expect(webhooks.verify(body, wrapped)).rejects.toThrow(new WebhookConfigurationError(text));
  await expect(webhooks.unwrap(body, wrapped)).rejects.toThrow(text);
  expect((await webhooks.receive({ method: 'POST', headers: wrapped, body })).status).toBe(500);
  expect(errors).toMatchObject([{ code: 'RECEIVER_FAILED', cause: { message: text } }]);
});
