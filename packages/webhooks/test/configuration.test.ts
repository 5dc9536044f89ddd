import { inspect } from 'node:util';
import {
  createMemoryDedupeStore,
  createWebhooks,
  sign,
  WebhookConfigurationError,
  WebhookError,
  type WebhooksOptions,
} from '@confab/webhooks';
import { expect, test } from 'vitest';
import { createWebhooksWith } from '../src/create-webhooks.ts';
import { cryptoPaths } from './crypto-paths.ts';

const key = (): string => 'k';
const good = { secret: 'a secret of the test', signature: { header: 'x-sig' } };

test.each([
  ['an empty secret', { secret: '' }, /secret is empty/],
  ['a secret of spaces', { secret: '   ' }, /white space/],
  ['a secret that ends in a line feed', { secret: 'abc\n' }, /white space/],
  ['a secret that begins with a space', { secret: ' abc' }, /white space/],
  ['a prefix alone', { secret: 'whsec_' }, /only a prefix/],
  ['two prefixes alone', { secret: 'confab_live_' }, /only a prefix/],
  ['empty bytes', { secret: new Uint8Array() }, /secret is empty/],
  ['no secret', { secret: undefined }, /must be a string/],
  ['a number', { secret: 5 }, /must be a string/],
  ['an empty list', { secret: [] }, /empty list/],
  ['an empty secret among others', { secret: ['one', ''] }, /secret\[1\] is empty/],
  ['a lone surrogate', { secret: 'abc\ud800' }, /well-formed/],
  ['no signature', { signature: undefined }, /signature\.header/],
  ['no header', { signature: {} }, /signature\.header/],
  ['a header that is none', { signature: { header: 'x sig' } }, /signature\.header .* "x sig"/],
  ['an unknown encoding', { signature: { header: 'x', encoding: 'base32' } }, /encoding .* "base32"/],
  ['a prefix that is no string', { signature: { header: 'x', prefix: null } }, /signature\.prefix/],
  [
    'a separator that is no string',
    { signature: { header: 'x', timestamp: { header: 't', separator: 0 } } },
    /timestamp\.separator/,
  ],
  ['no timestamp header', { signature: { header: 'x', timestamp: {} } }, /timestamp\.header/],
  [
    'a tolerance of 0',
    { signature: { header: 'x', timestamp: { header: 't', toleranceSeconds: 0 } } },
    /toleranceSeconds .* 0/,
  ],
  [
    'an endless tolerance',
    { signature: { header: 'x', timestamp: { header: 't', toleranceSeconds: Number.POSITIVE_INFINITY } } },
    /toleranceSeconds/,
  ],
  ['a limit of 0 bytes', { maxBodyBytes: 0 }, /maxBodyBytes .* 0/],
  ['half a byte', { maxBodyBytes: 0.5 }, /maxBodyBytes/],
  ['a schema that is none', { events: { x: {} } }, /events\["x"\]/],
  ['no key', { dedupe: {} }, /dedupe\.key/],
  ['a store of two methods', { dedupe: { key, store: { claim() {}, complete() {} } } }, /release/],
  ['a TTL of 0', { dedupe: { key, ttlSeconds: 0 } }, /ttlSeconds/],
  ['a lease that is no number', { dedupe: { key, leaseSeconds: Number.NaN } }, /leaseSeconds/],
])('%s is refused when the receiver is built', (_, options, message) => {
  const build = () => createWebhooks({ ...good, ...options } as WebhooksOptions);
  expect(build).toThrow(WebhookConfigurationError);
  expect(build).toThrow(TypeError);
  expect(build).toThrow(
    expect.objectContaining({ name: 'WebhookConfigurationError', code: 'CONFIGURATION' }),
  );
  expect(build).toThrow(message);
});

test.each(['Jefe', 'whsec_x', 'Zm9v_YmFy_abcdefghijklmnopqrstuvwxyz0123456_', '_', 'a b', '=', '\u0000'])(
  'an unusual secret is taken: %j',
  (secret) => {
    expect(() => createWebhooks({ ...good, secret })).not.toThrow();
  },
);

test('an empty secret does not sign either', async () => {
  await expect(sign('body', { ...good, secret: '' })).rejects.toThrow(WebhookConfigurationError);
});

test.each([0, -1, 1.5, Number.NaN])('a memory store of %s keys is refused', (maxKeys) => {
  expect(() => createMemoryDedupeStore({ maxKeys })).toThrow(/maxKeys/);
});

test('a handler that is no function, and one for an event without a schema, are refused', () => {
  const webhooks = createWebhooks(good);
  expect(() => webhooks.on('message.created', undefined as never)).toThrow(/must be a function/);
  expect(() => webhooks.on('nothing' as 'message.created', () => {})).toThrow(/"nothing".*onUnknown/);
});

test('the secret shows in no inspection, JSON, error or key of the receiver', async () => {
  const secret = 'S3CRET-of-the-test';
  const webhooks = createWebhooks({ ...good, secret: [secret, new TextEncoder().encode(secret)] });
  const shown = [
    inspect(webhooks, { depth: 9, showHidden: true }),
    JSON.stringify(webhooks),
    String(webhooks),
  ];
  const failures: unknown[] = [];
  webhooks.onError((error) => failures.push(error));
  webhooks.on('message.created', () => {
    throw new Error('handler');
  });
  const deliver = (body: string, headers: Record<string, string>) =>
    webhooks.fetch(new Request('https://receiver.test', { method: 'POST', body, headers }));
  const message = '{"event":"message.created","data":{"conversationId":"","channel":"","body":""}}';
  await deliver('', {});
  await deliver('', { 'x-sig': 'junk' });
  await deliver('', { 'x-sig': '0'.repeat(64) });
  for (const body of ['', '{}', message]) await deliver(body, await sign(body, { ...good, secret }));
  try {
    createWebhooks({ ...good, secret: `${secret} ` });
  } catch (error) {
    failures.push(error);
  }
  expect(failures).toHaveLength(7);
  for (const error of failures) {
    shown.push(inspect(error, { depth: 9, showHidden: true }), JSON.stringify(error), String(error));
  }
  for (const text of shown) expect(text).not.toContain('S3CRET');
});

test('bytes given as a secret can be changed afterwards without effect', async () => {
  for (const path of cryptoPaths) {
    for (const secret of [new TextEncoder().encode('secret'), Buffer.from('secret')]) {
      const headers = await sign('body', { ...good, secret });
      const webhooks = createWebhooksWith(path, { ...good, secret });
      secret.fill(0);
      expect(await webhooks.verify('body', headers)).toEqual({ secretIndex: 0 });
    }
  }
});

test.each([
  new DataView(new TextEncoder().encode('secret').buffer),
  new Uint16Array(new TextEncoder().encode('secret').buffer),
  new TextEncoder().encode('secret').buffer,
])('a secret in another view of bytes is its bytes: %o', async (secret) => {
  const headers = await sign('body', { ...good, secret: 'secret' });
  const webhooks = createWebhooks({ ...good, secret: secret as unknown as Uint8Array });
  expect(await webhooks.verify('body', headers)).toEqual({ secretIndex: 0 });
});

test('an error names itself, its code and its status', async () => {
  const error = await createWebhooks(good)
    .verify('', {})
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(WebhookError);
  expect(error).toMatchObject({ name: 'WebhookError', code: 'MISSING_SIGNATURE', status: 401 });
  expect(String(error)).toMatch(/^WebhookError: The delivery has no "x-sig" header/);
});
