import { expect, test } from 'vitest';
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
        const headers = { ...good, 'x-sig': `v1=${Buffer.from(changed).toString(encoding)}` };
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
