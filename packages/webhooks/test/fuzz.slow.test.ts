import type { RawBody } from '@confab/webhooks';
import { WebhookError } from '@confab/webhooks';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeSignature } from '../src/signature/encoding.ts';
import { cryptoPaths } from './support/crypto-paths.ts';

const secret = new TextEncoder().encode('a secret of the test');
const message = {
  event: 'message.created',
  data: { conversationId: 'c1', channel: 'web', body: 'Grüße 😀' },
};
const body = new TextEncoder().encode(JSON.stringify(message));

/** Yields the bytes with each of their bits flipped in turn. */
function* singleBitChanges(bytes: Uint8Array): Generator<Uint8Array> {
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const changed = bytes.slice();
    changed[bit >> 3]! ^= 1 << (bit & 7);
    yield changed;
  }
}

const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

for (const path of cryptoPaths) {
  for (const encoding of ['hex', 'base64', 'base64url'] as const) {
    test(`${path.name}, ${encoding}: every single-bit change of body, signature, timestamp and secret is refused`, async () => {
      const now = 1_700_000_000;
      const timestamp = { header: 'x-time', toleranceSeconds: 1e12 };
      const signature = { header: 'x-sig', encoding, prefix: 'v1=', timestamp };
      const options = { signature, now: () => now * 1000 };
      const webhooks = path.createWebhooks({ ...options, secret });
      const good = await path.sign(body, { secret, signature, timestamp: now });
      const { 'x-sig': signed = '', 'x-time': time = '' } = good;
      await webhooks.unwrap(body, good);

      const attempts: (() => Promise<unknown>)[] = [];
      for (const changed of singleBitChanges(body)) {
        attempts.push(() => webhooks.verify(changed, good));
      }
      for (const changed of singleBitChanges(Buffer.from(signed, 'latin1'))) {
        attempts.push(() => webhooks.verify(body, { ...good, 'x-sig': latin1(changed) }));
      }
      for (const changed of singleBitChanges(Buffer.from(signed.slice(3), encoding))) {
        const headers = { ...good, 'x-sig': `v1=${encodeSignature(changed, encoding)}` };
        attempts.push(() => webhooks.verify(body, headers));
      }
      for (const changed of singleBitChanges(Buffer.from(time, 'latin1'))) {
        attempts.push(() => webhooks.verify(body, { ...good, 'x-time': latin1(changed) }));
      }
      for (const changed of singleBitChanges(secret)) {
        attempts.push(() => path.createWebhooks({ ...options, secret: changed }).verify(body, good));
      }
      for (const attempt of attempts) {
        await expect(attempt()).rejects.toMatchObject({ name: 'WebhookError', status: 401 });
      }
      expect(attempts.length).toBeGreaterThan(1500);
    });
  }
}

const REFUSED = new Set([400, 401, 413, 500]);

const names = fc.constantFrom('x-sig', 'X-Sig', 'x-time', '__proto__', 'content-length', '');
const hex = fc.stringMatching(/^[0-9a-f]{64}$/);
const values = fc.oneof(
  hex,
  fc.stringMatching(/^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '1700000000', 'v1=', ',', '\0'),
);
const headers = fc.oneof(
  fc.dictionary(names, fc.oneof(values, fc.array(values, { maxLength: 2 })), { maxKeys: 3 }),
  fc.array(fc.tuple(names, values), { maxLength: 3 }),
  fc.record({ 'x-sig': hex }),
  fc.anything({ maxDepth: 1 }),
);
const bodies: fc.Arbitrary<unknown> = fc.oneof(
  fc.constant(body),
  fc.constant(JSON.stringify(message)),
  fc.uint8Array({ maxLength: 40 }),
  fc.string({ unit: 'binary' }),
  fc.string({ minLength: 30, maxLength: 300 }),
  fc.anything({ maxDepth: 1 }),
);

for (const path of cryptoPaths) {
  test(`${path.name}: none of 50,000 random headers and bodies crashes the receiver or is accepted`, {
    timeout: 300_000,
  }, async () => {
    const timestamp = { header: 'x-time', toleranceSeconds: 1e12 };
    const receivers = [
      path.createWebhooks({ secret, signature: { header: 'x-sig' }, maxBodyBytes: 200 }),
      path.createWebhooks({ secret, signature: { header: 'x-sig', prefix: 'v1=', timestamp } }),
    ];
    const handled: unknown[] = [];
    let hashed = 0;
    for (const receiver of receivers) {
      receiver.on('message.created', (event) => handled.push(event));
      receiver.onUnknown((event) => handled.push(event));
    }
    const property = fc.asyncProperty(headers, bodies, fc.nat(1), async (header, content, index) => {
      const receiver = receivers[index]!;
      const response = await receiver.receive({ method: 'POST', headers: header as Headers, body: content });
      const thrown = await receiver.verify(content as RawBody, header as Headers).catch((error) => error);
      const crashed = !(thrown instanceof WebhookError) || response.body.includes('HANDLER_FAILED');
      // A plain comparison, because expect() would be slower than the code under test.
      if (crashed || !REFUSED.has(response.status)) {
        throw new Error(`responded with ${response.status} ${response.body}, and threw ${thrown}`);
      }
      if (thrown.code === 'SIGNATURE_MISMATCH') {
        hashed += 1;
      }
    });
    await fc.assert(property, { numRuns: 50_000 });
    expect(handled).toEqual([]);
    // Enough of them are plausible to reach the comparison of digests.
    expect(hashed).toBeGreaterThan(1000);
  });
}
