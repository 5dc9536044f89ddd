import { runInNewContext } from 'node:vm';
import type { RawBody } from '@confab/webhooks';
import { sign, timestamped, WebhookConfigurationError } from '@confab/webhooks';
import { expect, test, vi } from 'vitest';
import { cryptoPaths } from './support/crypto-paths.ts';
import { secret, signature } from './support/receiver.ts';
import published from './support/vectors/hmac-sha256.json' with { type: 'json' };

const options = { secret, signature };

/** Published vectors of GitHub, octokit and RFC 4231. */
const vectors = published.vectors.map(({ prefix = '', ...vector }) => ({
  source: vector.source,
  secret: Buffer.from(vector.secretUtf8 ?? Buffer.from(vector.secretHex ?? '', 'hex')),
  body: Buffer.from(vector.bodyUtf8 ?? Buffer.from(vector.bodyHex ?? '', 'hex')),
  signature: { header: 'X-Signature', encoding: 'hex' as const, prefix },
  headers: { 'x-signature': prefix + vector.signature },
}));
const stamped = { ...signature, timestamp: { header: 'X-Time', separator: ':' } };

for (const path of cryptoPaths) {
  test.each(vectors)(`${path.name}: $source verifies, and only with its secret`, async (vector) => {
    const { source: _, body, headers, ...signing } = vector;
    expect(await path.createWebhooks(signing).verify(body, headers)).toEqual({ secretIndex: 0 });
    expect(await path.sign(body, signing)).toEqual(headers);
    const other = path.createWebhooks({ ...signing, secret: 'a different secret' });
    await expect(other.verify(body, headers)).rejects.toMatchObject({ code: 'SIGNATURE_MISMATCH' });
  });

  test(`${path.name}: a body verifies as text and as bytes of every kind, even from a different realm`, async () => {
    const text = '{"event":"é€😀"}';
    const bytes = new TextEncoder().encode(text);
    const larger = new Uint8Array(bytes.length + 8);
    larger.set(bytes, 4);
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);
    const fromOtherRealm = (list: Iterable<number>) =>
      runInNewContext(`new Uint8Array([0, ${[...list]}, 0]).subarray(1, -1)`) as Uint8Array;
    const bodies: RawBody[] = [text, bytes, Buffer.from(text), larger.subarray(4, -4), bytes.buffer];
    const webhooks = path.createWebhooks({ secret: fromOtherRealm(Buffer.from(secret)), signature });
    const headers = await sign(text, options);
    for (const body of [...bodies, shared, Buffer.from(shared.buffer), fromOtherRealm(bytes)]) {
      expect(await webhooks.verify(body, headers)).toEqual({ secretIndex: 0 });
    }
  });
}

test('a timestamp, 0 included, is signed before the body and sent in its header', async () => {
  for (const timestamp of [0, 1_700_000_000]) {
    const headers = await sign('body', { secret, signature: stamped, timestamp });
    const joined = await sign(`${timestamp}:body`, options);
    expect(headers).toEqual({ 'x-sig': joined['x-sig'], 'x-time': String(timestamp) });
    // The default, `auto`, signs in hex.
    expect(headers['x-sig']).toMatch(/^[0-9a-f]{64}$/);
  }
});

test('with the unit milliseconds, sign() signs the time to the millisecond', async () => {
  using _ = vi.spyOn(Date, 'now').mockReturnValue(1_700_000_000_123);
  const plainHeaders = await sign('body', {
    secret,
    signature: { ...signature, timestamp: { header: 'x-time', unit: 'milliseconds' } },
  });
  expect(plainHeaders).toMatchObject({ 'x-time': '1700000000123' });
  const scheme = timestamped({ header: 'x-sig', unit: 'milliseconds' });
  const headers = await sign('body', { secret, signature: scheme });
  expect(headers['x-sig']).toMatch(/^t=1700000000123,v1=/);
});

test.each<[body: unknown, timestamp: number, message: RegExp]>([
  [{ event: 'x' }, 0, /must be bytes or a well-formed string/],
  ['\ud800', 0, /well-formed/],
  ['', -1, /`timestamp` must be a whole number of at least 0/],
  ['', 1.5, /`timestamp` must be a whole number of at least 0/],
])('sign() refuses a body of %j with the timestamp %s', async (body, timestamp, message) => {
  const signing = sign(body as string, { secret, signature: stamped, timestamp });
  await expect(signing).rejects.toThrow(WebhookConfigurationError);
  await expect(signing).rejects.toThrow(message);
});

test('WebCrypto imports a secret once, on first use, as a key that cannot be extracted', async () => {
  using importKey = vi.spyOn(crypto.subtle, 'importKey');
  const headers = await sign('body', options);
  const webhooks = cryptoPaths[1]?.createWebhooks(options);
  expect(importKey).toHaveBeenCalledTimes(0);
  for (let time = 0; time < 3; time += 1) {
    await webhooks?.verify('body', headers);
  }
  expect(importKey).toHaveBeenCalledTimes(1);
  expect(await importKey.mock.results[0]?.value).toMatchObject({ extractable: false });
});
