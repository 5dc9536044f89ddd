import { createHash, createHmac } from 'node:crypto';
import type { DetectedSignature, Signature, SignatureOptions } from '@confab/webhooks';
import { createWebhooks, detectSignature, sign, standardWebhooks, timestamped } from '@confab/webhooks';
import { expect, test, vi } from 'vitest';
import { secret } from './support/receiver.ts';

const body = '{"event":"message.created","data":{"conversationId":"c1","channel":"web","body":"Hi"}}';
const encoded = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const triedOf = (detected: DetectedSignature) => (detected.found ? '' : detected.tried.join('\n'));
const noise = {
  host: 'receiver.test',
  'content-length': '86',
  'x-request-id': createHash('sha256').update('noise').digest('hex'),
};

const paddle = { timestampField: 'ts', signatureField: 'h1', delimiter: ';', separator: ':' };

test.each<Signature>([
  { header: 'x-a', encoding: 'hex' },
  { header: 'x-a', encoding: 'base64' },
  { header: 'x-a', encoding: 'base64url' },
  { header: 'x-a', encoding: 'hex', prefix: 'sha256=' },
  { header: 'x-a', encoding: 'base64', prefix: 'v1,' },
  { header: 'x-a', encoding: 'hex', timestamp: { header: 'x-time', separator: '.' } },
  { header: 'x-a', encoding: 'base64', prefix: 'v0=', timestamp: { header: 'x-time', separator: ':' } },
  { header: 'x-a', encoding: 'hex', timestamp: { header: 'x-time', separator: '' } },
  { header: 'x-a', encoding: 'hex', timestamp: { header: 'x-time', separator: '.', unit: 'milliseconds' } },
  standardWebhooks(),
  standardWebhooks({ headerPrefix: 'svix' }),
  timestamped({ header: 'stripe-signature' }),
  timestamped({ header: 'paddle-signature', ...paddle }),
  timestamped({ header: 'workos-signature', delimiter: ', ', unit: 'milliseconds' }),
  timestamped({ header: 'x-sig', signatureField: 's', delimiter: ', ', encoding: 'base64' }),
])('detectSignature() finds %j, and the delivery verifies with the result', async (signature) => {
  const headers = { ...noise, ...(await sign(body, { secret: encoded, signature })) };
  for (const form of [headers, new Headers(headers), Object.entries(headers)]) {
    const detected = await detectSignature({ headers: form, body, secret: encoded });
    const option = 'source' in signature ? expect.objectContaining({ source: signature.source }) : signature;
    expect(detected).toEqual({ found: true, signature: option, secret: 'as given' });
    if (detected.found) {
      await createWebhooks({ secret: encoded, signature: detected.signature }).verify(body, form);
    }
  }
});

const plain = { header: 'x-sig', encoding: 'hex' } as const;

test.each<[form: string, written: string, key: string, signature: Signature]>([
  ['hex', '6b65792d6f662d746865', 'key-of-the', plain],
  ['base64', 'a2V5LW9mLXRoZQ==', 'key-of-the', plain],
  ['base64 after its prefix', 'whsec_a2V5LW9mLXRoZQ==', 'key-of-the', plain],
  ['UTF-8', 'a secret of the test', 'a secret of the test', standardWebhooks()],
  ['UTF-8', encoded, encoded, standardWebhooks()],
  ['hex', '6b65792d6f662d746865', 'key-of-the', standardWebhooks()],
])('detectSignature() recognizes a secret read as %s: %s', async (form, written, key, signature) => {
  const headers = await sign(body, { secret: new TextEncoder().encode(key), signature });
  const option = 'source' in signature ? { source: signature.source } : signature;
  expect(await detectSignature({ headers, body, secret: written })).toMatchObject({
    found: true,
    signature: option,
    secret: form,
  });
});

test('detectSignature() limits its work for many headers with digits and a large body', async () => {
  const stamped: SignatureOptions = { header: 'x-sig', timestamp: { header: 'x-time', separator: '|' } };
  const large = `${' '.repeat(2 ** 20 - 1)}\n`;
  const signed = await sign(large, { secret, signature: stamped });
  const digits = (count: number, from = 0) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-${index}`, String(from + index)]));
  using hmacs = vi.spyOn(process.getBuiltinModule('node:crypto'), 'createHmac');
  const detect = async (headers: Record<string, string>) => {
    hmacs.mockClear();
    const detected = await detectSignature({ headers, body: large, secret });
    return { detected, digests: hmacs.mock.calls.length };
  };
  for (const others of [digits(2_000), digits(5, 1_700_000_000)]) {
    const { detected } = await detect({ ...others, ...signed });
    expect(detected).toMatchObject({ found: true, signature: stamped });
  }
  const flood = digits(900, 1_700_000_000);
  expect((await detect(flood)).digests).toBe(0);
  const held = await detect({ ...flood, 'x-sig': '0'.repeat(64) });
  expect(held.digests).toBeLessThanOrEqual(32);
  expect(triedOf(held.detected)).toMatch(/the first 32 combinations only/);
});

test('detectSignature() limits its work for many fields with timestamps and signatures', async () => {
  const fields = (count: number) =>
    Array.from(
      { length: count },
      (_, index) => `t${index}=${1_700_000_000 + index},v${index}=${'0'.repeat(64)}`,
    ).join();
  const headers = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`x-${index}`, fields(8)]));
  const large = 'x'.repeat(2 ** 18);
  const limited = /the first \d{2,3} combinations only/;
  expect(triedOf(await detectSignature({ headers, body: large, secret }))).toMatch(limited);
  expect(triedOf(await detectSignature({ headers, body, secret }))).toMatch(/the first 512 combinations/);
  const started = performance.now();
  expect(triedOf(await detectSignature({ headers: { x: fields(500) }, body, secret }))).toMatch(/secret/);
  expect(performance.now() - started).toBeLessThan(1000);
  expect(triedOf(await detectSignature({ headers: { x: fields(2) }, body, secret }))).not.toMatch(limited);
});

test('detectSignature() lists its attempts and observations if no signature matches', async () => {
  const other = createHmac('sha256', 'other').update(body).digest();
  const headers = {
    'x-one': `v1=${other.toString('hex')}`,
    'x-two': other.toString('base64'),
    'x-time': '1700000000',
    'x-upper': `sha256=${other.toString('hex').toUpperCase()}`,
  };
  const tried = triedOf(await detectSignature({ headers, body: `${body}\n`, secret }));
  for (const line of [
    /x-one has 32 bytes that are not the signature/,
    /x-two has 32 bytes that are not the signature/,
    /x-upper has 32 bytes in upper-case hex, which is refused: convert it to lower case/,
    /each header \(x-one, x-two, x-time, x-upper\)/,
    /the body ends with a line feed, which may have been added on capture/,
  ]) {
    expect(tried).toMatch(line);
  }
  expect(tried).not.toContain(secret);
});

test('detectSignature() reports missing headers, and refuses a parsed body and an empty secret', async () => {
  expect(triedOf(await detectSignature({ headers: {}, body, secret }))).toMatch(/none: were the headers/);
  await expect(detectSignature({ headers: {}, body: {} as string, secret })).rejects.toThrow(
    /`body` must be/,
  );
  await expect(detectSignature({ headers: {}, body, secret: '' })).rejects.toThrow(/`secret` is empty/);
});
