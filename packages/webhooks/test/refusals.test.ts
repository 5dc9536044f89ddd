import { createHmac } from 'node:crypto';
import type { HeadersLike, SignatureOptions } from '@confab/webhooks';
import { createWebhooks, sign } from '@confab/webhooks';
import { expect, onTestFinished, test, vi } from 'vitest';
import { cryptoPaths } from './support/crypto-paths.ts';

const secret = 'a secret of the test';
const body = '{"event":"x","data":{}}';
const digest = createHmac('sha256', secret).update(body).digest();
const hex = digest.toString('hex');
const base64 = digest.toString('base64');
const base64url = digest.toString('base64url');

const codeOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'accepted',
    (error: { code: string }) => error.code,
  );
const check = (value: string, options: Partial<SignatureOptions> = {}) =>
  codeOf(
    createWebhooks({ secret, signature: { header: 'x-sig', ...options } }).verify(body, { 'x-sig': value }),
  );

/** Sets one of the two unused bits of the last of 43 characters. Lenient decoders read the same bytes. */
const withStrayBit = (encoded: string) => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  return encoded.slice(0, 42) + alphabet[alphabet.indexOf(encoded[42]!) + 1] + encoded.slice(43);
};

test.each([
  ['hex', 'auto', hex, 'accepted'],
  ['base64', 'auto', base64, 'accepted'],
  ['base64url', 'auto', base64url, 'accepted'],
  ['base64url with its padding', 'auto', `${base64url}=`, 'accepted'],
  ['hex', 'hex', hex, 'accepted'],
  ['base64', 'base64', base64, 'accepted'],
  ['base64url', 'base64url', base64url, 'accepted'],
  ['base64url with its padding', 'base64url', `${base64url}=`, 'accepted'],
  ['base64', 'hex', base64, 'MALFORMED_SIGNATURE'],
  ['hex', 'base64', hex, 'MALFORMED_SIGNATURE'],
  ['base64', 'base64url', base64, 'MALFORMED_SIGNATURE'],
  ['base64url', 'base64', base64url, 'MALFORMED_SIGNATURE'],
  ['uppercase hex', 'auto', hex.toUpperCase(), 'MALFORMED_SIGNATURE'],
  ['hex with an odd number of digits', 'auto', hex.slice(1), 'MALFORMED_SIGNATURE'],
  ['hex with junk at the end', 'auto', `${hex}zz`, 'MALFORMED_SIGNATURE'],
  ['hex with junk inside', 'auto', `${hex.slice(0, 62)}zz`, 'MALFORMED_SIGNATURE'],
  ['hex of 31 bytes', 'auto', hex.slice(2), 'MALFORMED_SIGNATURE'],
  ['hex of 33 bytes', 'auto', `${hex}00`, 'MALFORMED_SIGNATURE'],
  ['hex in spaces', 'auto', ` ${hex}`, 'MALFORMED_SIGNATURE'],
  ['hex and a line feed', 'auto', `${hex}\n`, 'MALFORMED_SIGNATURE'],
  ['base64 without padding', 'base64', base64.slice(0, -1), 'MALFORMED_SIGNATURE'],
  ['base64 with a stray bit', 'auto', withStrayBit(base64), 'MALFORMED_SIGNATURE'],
  ['base64 with junk inside', 'auto', `${base64.slice(0, 20)} ${base64.slice(20)}`, 'MALFORMED_SIGNATURE'],
  ['base64 with junk in front', 'auto', `AAAA${base64}`, 'MALFORMED_SIGNATURE'],
  ['base64url with junk at its end', 'auto', `${base64url}=A`, 'MALFORMED_SIGNATURE'],
  ['base64 padded twice', 'auto', `${base64}=`, 'MALFORMED_SIGNATURE'],
  ['base64 of 31 bytes', 'auto', digest.subarray(1).toString('base64'), 'MALFORMED_SIGNATURE'],
  ['a prefix that is not configured', 'auto', `sha256=${hex}`, 'MALFORMED_SIGNATURE'],
  ['an empty value', 'auto', '', 'MISSING_SIGNATURE'],
] as const)('%s read as %s', async (_, encoding, value, code) => {
  expect(await check(value, { encoding })).toBe(code);
});

test.each([
  [`sha256=${hex}`, 'accepted'],
  [hex, 'MALFORMED_SIGNATURE'],
  [`SHA256=${hex}`, 'MALFORMED_SIGNATURE'],
  [`sha256=sha256=${hex}`, 'MALFORMED_SIGNATURE'],
  ['sha256=', 'MALFORMED_SIGNATURE'],
])('with the prefix sha256=, %s is %s', async (value, code) => {
  expect(await check(value, { prefix: 'sha256=' })).toBe(code);
});

test('a genuine signature is accepted in every form and case of headers', async () => {
  const forms: HeadersLike[] = [
    new Headers({ 'X-Sig': hex }),
    { 'x-sig': hex },
    { 'X-SIG': hex, other: undefined },
    { 'X-Sig': [hex] },
    [['X-sig', hex]],
    new Map([['X-Sig', hex]]),
    ['Host', 'x', 'X-Sig', hex],
  ];
  const webhooks = createWebhooks({ secret, signature: { header: 'X-Sig' } });
  for (const headers of forms) {
    expect(await codeOf(webhooks.verify(body, headers))).toBe('accepted');
  }
});

test('two values for the signature header are ambiguous in every form of headers', async () => {
  const joined = new Headers({ 'x-sig': hex });
  joined.append('x-sig', hex);
  const forms: HeadersLike[] = [
    joined,
    { 'x-sig': [hex, hex] },
    { 'x-sig': hex, 'X-Sig': hex },
    { 'x-sig': `${hex}, ${hex}` },
    [
      ['x-sig', hex],
      ['X-Sig', hex],
    ],
  ];
  const webhooks = createWebhooks({ secret, signature: { header: 'x-sig' } });
  for (const headers of forms) {
    expect(await codeOf(webhooks.verify(body, headers))).toBe('AMBIGUOUS_SIGNATURE');
  }
});

test('a comma in the prefix does not hide a second value', async () => {
  const signature = { header: 'x-sig', prefix: 'v1,' };
  const webhooks = createWebhooks({ secret, signature });
  const headers = new Headers({ 'x-sig': `v1,${hex}` });
  expect(await codeOf(webhooks.verify(body, headers))).toBe('accepted');
  headers.append('x-sig', `v1,${hex}`);
  expect(await codeOf(webhooks.verify(body, headers))).toBe('AMBIGUOUS_SIGNATURE');
});

test.each([
  {},
  [],
  new Headers(),
  { 'x-sig': undefined },
  { 'x-sig': [] },
  { 'x-signature': hex },
] as HeadersLike[])('a delivery without the header is refused: %o', async (headers) => {
  const webhooks = createWebhooks({ secret, signature: { header: 'x-sig' } });
  expect(await codeOf(webhooks.verify(body, headers))).toBe('MISSING_SIGNATURE');
});

const NOW = 1_700_000_000;
const timestamped = (value: string | string[] | undefined, toleranceSeconds?: number) => {
  const timestamp = { header: 'x-time', ...(toleranceSeconds && { toleranceSeconds }) };
  const webhooks = createWebhooks({
    secret,
    signature: { header: 'x-sig', timestamp },
    now: () => NOW * 1000,
  });
  const time = Array.isArray(value) ? value[0] : value;
  const signed = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
  return codeOf(webhooks.verify(body, { 'x-sig': signed, 'X-Time': value }));
};

test.each([
  [String(NOW), 'accepted'],
  [String(NOW - 300), 'accepted'],
  [String(NOW + 300), 'accepted'],
  [`0${NOW}`, 'accepted'],
  [String(NOW - 301), 'TIMESTAMP_OUT_OF_TOLERANCE'],
  [String(NOW + 301), 'TIMESTAMP_OUT_OF_TOLERANCE'],
  [String(NOW + 365 * 86_400), 'TIMESTAMP_OUT_OF_TOLERANCE'],
  ['0', 'TIMESTAMP_OUT_OF_TOLERANCE'],
  ['999999999999999', 'TIMESTAMP_OUT_OF_TOLERANCE'],
  [`${NOW}abc`, 'MALFORMED_SIGNATURE'],
  ['123abc', 'MALFORMED_SIGNATURE'],
  ['NaN', 'MALFORMED_SIGNATURE'],
  ['Infinity', 'MALFORMED_SIGNATURE'],
  ['1.7e9', 'MALFORMED_SIGNATURE'],
  [`+${NOW}`, 'MALFORMED_SIGNATURE'],
  [`-${NOW}`, 'MALFORMED_SIGNATURE'],
  [` ${NOW}`, 'MALFORMED_SIGNATURE'],
  ['١٧٠٠٠٠٠٠٠٠', 'MALFORMED_SIGNATURE'],
  ['1'.repeat(16), 'MALFORMED_SIGNATURE'],
  ['', 'MISSING_SIGNATURE'],
  [undefined, 'MISSING_SIGNATURE'],
  [[String(NOW), String(NOW)], 'AMBIGUOUS_SIGNATURE'],
  [`${NOW}, ${NOW}`, 'AMBIGUOUS_SIGNATURE'],
])('a signed timestamp of %o is %s', async (value, code) => {
  expect(await timestamped(value)).toBe(code);
});

test('toleranceSeconds applies in both directions', async () => {
  expect(await timestamped(String(NOW - 10), 10)).toBe('accepted');
  expect(await timestamped(String(NOW - 11), 10)).toBe('TIMESTAMP_OUT_OF_TOLERANCE');
  expect(await timestamped(String(NOW + 11), 10)).toBe('TIMESTAMP_OUT_OF_TOLERANCE');
});

test('a changed timestamp is a mismatch, even within the tolerance', async () => {
  const signature = { header: 'x-sig', timestamp: { header: 'x-time' } };
  const headers = await sign(body, { secret, signature, timestamp: NOW });
  for (const path of cryptoPaths) {
    const webhooks = path.createWebhooks({ secret, signature, now: () => NOW * 1000 });
    expect(await codeOf(webhooks.verify(body, headers))).toBe('accepted');
    const later = { ...headers, 'x-time': String(NOW + 1) };
    expect(await codeOf(webhooks.verify(body, later))).toBe('SIGNATURE_MISMATCH');
  }
});

test('every secret is hashed, whichever matches', async () => {
  const hashed = vi.spyOn(process.getBuiltinModule('node:crypto'), 'createHmac');
  onTestFinished(() => hashed.mockRestore());
  const signature = { header: 'x-sig' };
  const webhooks = createWebhooks({ secret: ['first', 'second', 'third'], signature });
  for (const used of ['first', 'second', 'third', 'none of them']) {
    const headers = await sign(body, { secret: used, signature });
    hashed.mockClear();
    await codeOf(webhooks.verify(body, headers));
    expect(hashed).toHaveBeenCalledTimes(3);
  }
});

test('all 32 bytes of a signature are compared', async () => {
  for (const path of cryptoPaths) {
    const webhooks = path.createWebhooks({ secret, signature: { header: 'x-sig' } });
    for (let index = 0; index < 32; index += 1) {
      const other = Buffer.from(digest);
      other[index]! ^= 0x80;
      expect(await codeOf(webhooks.verify(body, { 'x-sig': other.toString('hex') }))).toBe(
        'SIGNATURE_MISMATCH',
      );
    }
  }
});

test.each([undefined, null, 5, true, { event: 'x', data: {} }, [1, 2], { type: 'Buffer', data: [1] }])(
  'a body of %o is not raw',
  async (parsed) => {
    const webhooks = createWebhooks({ secret, signature: { header: 'x-sig' } });
    const attempt = webhooks.verify(parsed as unknown as string, { 'x-sig': hex });
    await expect(attempt).rejects.toMatchObject({ code: 'BODY_NOT_RAW', status: 500 });
  },
);

test('bytes that are not UTF-8 do not match the signature of their replacement characters, and are not parsed', async () => {
  const signature = { header: 'x-sig' };
  const bytes = new Uint8Array([
    ...new TextEncoder().encode('{"event":"x","data":{"a":"'),
    0xff,
    0x22,
    0x7d,
    0x7d,
  ]);
  const replaced = new TextDecoder().decode(bytes);
  for (const path of cryptoPaths) {
    const webhooks = path.createWebhooks({ secret, signature });
    const ofReplaced = await sign(replaced, { secret, signature });
    expect(await codeOf(webhooks.unwrap(bytes, ofReplaced))).toBe('SIGNATURE_MISMATCH');
    const ofBytes = await sign(bytes, { secret, signature });
    expect(await codeOf(webhooks.verify(bytes, ofBytes))).toBe('accepted');
    expect(await codeOf(webhooks.unwrap(bytes, ofBytes))).toBe('INVALID_ENCODING');
    expect(await codeOf(webhooks.unwrap('"\ud800"', ofBytes))).toBe('INVALID_ENCODING');
  }
});

test('a byte order mark is hashed but not parsed', async () => {
  const signature = { header: 'x-sig' };
  const bytes = new TextEncoder().encode(`\ufeff${body}`);
  for (const path of cryptoPaths) {
    const webhooks = path.createWebhooks({ secret, signature });
    expect(await codeOf(webhooks.verify(bytes, { 'x-sig': hex }))).toBe('SIGNATURE_MISMATCH');
    const headers = await sign(bytes, { secret, signature });
    for (const form of [bytes, `\ufeff${body}`]) {
      expect(await webhooks.unwrap(form, headers)).toEqual({ event: 'x', data: {}, known: false });
    }
  }
});

test('a body of maxBodyBytes is accepted, and one byte more is refused before hashing', async () => {
  const signature = { header: 'x-sig' };
  const webhooks = createWebhooks({ secret, signature, maxBodyBytes: 6 });
  for (const allowed of ['123456', 'éé€'.slice(0, 2), new Uint8Array(6), '€€']) {
    expect(await codeOf(webhooks.verify(allowed, await sign(allowed, { secret, signature })))).toBe(
      'accepted',
    );
  }
  for (const large of ['1234567', '€€1', new Uint8Array(7), new ArrayBuffer(7)]) {
    expect(await codeOf(webhooks.verify(large, {}))).toBe('BODY_TOO_LARGE');
  }
});
