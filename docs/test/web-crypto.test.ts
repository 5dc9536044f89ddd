import { expect, test } from 'vitest';
import { randomUUID, subtle } from '../playground/runner/web-crypto.ts';

const HMAC = { name: 'HMAC', hash: 'SHA-256' };

/** Converts bytes to digits, because any two ArrayBuffers are equal to `toEqual`. */
const hex = (buffer: ArrayBufferLike): string => Buffer.from(buffer).toString('hex');

/** Creates a view of bytes in the middle of a longer buffer. */
const bytes = (length: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length: length + 7 }, (_, index) => (index * 37 + length) % 256).subarray(3, 3 + length);

// A block of SHA-256 has 64 bytes; in the last one, at least 9 are padding.
const LENGTHS = [0, 1, 55, 56, 63, 64, 65, 128, 1_000];

test.for(LENGTHS)('the playground computes the same SHA-256 of %i bytes as Node', async (length) => {
  const digest = await subtle.digest('SHA-256', bytes(length));
  expect(hex(digest)).toBe(hex(await crypto.subtle.digest('SHA-256', bytes(length))));
});

test.for(LENGTHS.slice(1))(
  'the playground computes the same HMAC with a key of %i bytes as Node',
  async (length) => {
    const own = await subtle.importKey('raw', bytes(length), HMAC);
    const key = await crypto.subtle.importKey('raw', bytes(length), HMAC, false, ['sign']);
    for (const size of LENGTHS) {
      const signature = await subtle.sign('HMAC', own, bytes(size));
      expect(hex(signature), `${size}`).toBe(hex(await crypto.subtle.sign('HMAC', key, bytes(size))));
    }
  },
);

test('the Web Crypto of the playground refuses other algorithms', async () => {
  const key = await subtle.importKey('raw', bytes(8), HMAC);
  await expect(subtle.digest('SHA-512', bytes(8))).rejects.toThrow('but not SHA-512.');
  await expect(subtle.sign({ name: 'Ed25519' }, key, bytes(8))).rejects.toThrow('but not ED25519.');
  await expect(subtle.importKey('raw', bytes(8), { name: 'HMAC', hash: 'SHA-1' })).rejects.toThrow(
    'but not raw HMAC SHA-1.',
  );
});

test('a random UUID of the playground has version 4', () => {
  expect(randomUUID()).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
});
