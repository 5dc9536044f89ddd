import type { SignatureOptions, WebhookError } from '@confab/webhooks';
import { createWebhooks, sign } from '@confab/webhooks';
import { expect, test } from 'vitest';

const secret = 'a secret of the test';
const body = '{"event":"x","data":{}}';

/** The message of the error with which a delivery is refused. */
const messageOf = (signature: SignatureOptions, headers: Record<string, string>, now = 0) =>
  createWebhooks({ secret, signature, now: () => now })
    .verify(body, headers)
    .then(
      () => 'accepted',
      ({ message }: WebhookError) => message,
    );

test.each<[options: Partial<SignatureOptions>, value: string, message: string]>([
  [{}, 'junk', '32 bytes in lowercase hex, base64 or base64url, got 4 characters.'],
  [{ encoding: 'hex' }, 'junk', '32 bytes in hex, got 4 characters.'],
  [{ encoding: 'base64', prefix: 'v1=' }, 'v1=junk', '"v1=" and 32 bytes in base64, got 7 characters.'],
  [
    { encoding: 'hex', prefix: 'v1=' },
    'junk',
    '"v1=" and 32 bytes in hex, got 4 characters without that prefix.',
  ],
])('with %o, the message about %s says what the header must be', async (options, value, message) => {
  expect(await messageOf({ header: 'x-sig', ...options }, { 'x-sig': value })).toBe(
    `The "x-sig" header must be ${message}`,
  );
});

test.each([
  [1_000, '600 s ago'],
  [2_200, '600 s in the future'],
])('a timestamp of %i is refused at 1600 as %s', async (timestamp, distance) => {
  const signature = { header: 'x-sig', timestamp: { header: 'x-time', toleranceSeconds: 60 } };
  const headers = await sign(body, { secret, signature, timestamp });
  expect(await messageOf(signature, headers, 1_600_000)).toContain(
    `was signed ${distance}, but toleranceSeconds is 60.`,
  );
});

test('the message about an unknown encoding lists those that exist', () => {
  const signature = { header: 'x-sig', encoding: 'base32' as 'hex' };
  expect(() => createWebhooks({ secret, signature })).toThrow(
    'signature.encoding must be one of auto, hex, base64, base64url; got "base32".',
  );
});
