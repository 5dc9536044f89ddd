import { inspect } from 'node:util';
import type { CapturedDelivery, Receiver, WebhooksOptions } from '@confab/webhooks';
import {
  createMemoryDedupeStore,
  createWebhooks,
  detectSignature,
  sign,
  signedRequest,
  standardWebhooks,
  WebhookConfigurationError,
  WebhookError,
} from '@confab/webhooks';
import { fastifyWebhooks } from '@confab/webhooks/fastify';
import { toLambdaHandler } from '@confab/webhooks/lambda';
import { toNodeHandler } from '@confab/webhooks/node';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { cryptoPaths } from './support/crypto-paths.ts';

const key = (): string => 'k';
const good = { secret: 'a secret of the test', signature: { header: 'x-sig' } };

test.each([
  ['an empty secret', { secret: '' }, /secret is empty/],
  ['a secret of spaces', { secret: '   ' }, /white space/],
  ['a secret that ends in a line feed', { secret: 'abc\n' }, /white space/],
  ['a secret that begins with a space', { secret: ' abc' }, /white space/],
  ['a secret that is only a prefix', { secret: 'whsec_' }, /only a prefix/],
  ['a secret that is only two prefixes', { secret: 'confab_live_' }, /only a prefix/],
  ['a short text that ends like a prefix', { secret: 'abcdefghijklmno_' }, /only a prefix/],
  ['a secret of no bytes', { secret: new Uint8Array() }, /secret is empty/],
  ['no secret', { secret: undefined }, /secret is undefined\. Is its environment variable set/],
  ['a secret of null', { secret: null }, /secret is null\. Is its environment variable set/],
  ['a number as the secret', { secret: 5 }, /must be a string/],
  ['an empty list of secrets', { secret: [] }, /secret is an empty list\. Is its environment variable set/],
  ['an empty secret in a list', { secret: ['one', ''] }, /secret\[1\] is empty/],
  ['a secret of no bytes in a list', { secret: [new Uint8Array()] }, /secret\[0\] is empty/],
  ['a list of only undefined', { secret: [undefined, undefined] }, /secret is an empty list/],
  ['null in a list of secrets', { secret: ['one', null] }, /secret\[1\] is null/],
  [
    'the text undefined as the secret',
    { secret: 'undefined' },
    /secret is the text "undefined"\. Is its environment variable set\?/,
  ],
  ['the text null as the secret', { secret: 'null' }, /secret is the text "null"/],
  [
    'the text of an object as the secret',
    { secret: '[object Object]' },
    /secret is the text "\[object Object\]"/,
  ],
  ['the text of a promise as the secret', { secret: '[object Promise]' }, /secret is the text/],
  ['the text undefined in a list of secrets', { secret: ['one', 'undefined'] }, /secret\[1\] is the text/],
  ['the text undefined as a header', { signature: { header: 'undefined' } }, /signature\.header is the text/],
  ['the text null as a prefix', { signature: { header: 'x', prefix: 'null' } }, /signature\.prefix is the/],
  [
    'the text undefined as the header of the timestamp',
    { signature: { header: 'x', timestamp: { header: 'undefined' } } },
    /signature\.timestamp\.header is the text/,
  ],
  [
    'the text undefined as a separator',
    { signature: { header: 'x', timestamp: { header: 't', separator: 'undefined' } } },
    /signature\.timestamp\.separator is the text/,
  ],
  [
    'a timestamp of null',
    { signature: { header: 'x', timestamp: null } },
    /`signature\.timestamp` must be an object, got null/,
  ],
  ['a clock that is not a function', { now: 5 }, /now must be a function/],
  ['a dedupe of null', { dedupe: null }, /`dedupe` must be an object, got null/],
  ['a store of null', { dedupe: { key, store: null } }, /dedupe\.store\.claim must be a function/],
  [
    'a misspelled option',
    { maxBodybytes: 5 },
    /option of createWebhooks `maxBodybytes`\. Did you mean `maxBodyBytes`/,
  ],
  [
    'a misspelled signature field',
    { signature: { heaeder: 'x' } },
    /of signature `heaeder`\. Did you mean `header`/,
  ],
  [
    'the old name of the separator',
    { signature: { header: 'x', timestamp: { header: 't', join: ':' } } },
    /`join`/,
  ],
  [
    'a misspelled timestamp field',
    { signature: { header: 'x', timestamp: { header: 't', toleranceSecs: 5 } } },
    /of signature\.timestamp `toleranceSecs`\. Did you mean `toleranceSeconds`/,
  ],
  [
    'a misspelled dedupe field',
    { dedupe: { key, ttlSecond: 5 } },
    /of dedupe `ttlSecond`\. Did you mean `ttlSeconds`/,
  ],
  ['a secret with a lone surrogate', { secret: 'abc\ud800' }, /well-formed/],
  [
    'no signature',
    { signature: undefined },
    /signature must be \{ header: "x-sig" \} or standardWebhooks\(\), got undefined/,
  ],
  ['a signature of null', { signature: null }, /`signature` must be an object, got null/],
  [
    'the name of a header as the signature',
    { signature: 'x-sig' },
    /signature must be \{ header: "x-sig" \} or standardWebhooks\(\), got string/,
  ],
  [
    'a scheme that is not called',
    { signature: standardWebhooks },
    /signature must be \{ header: "x-sig" \} or standardWebhooks\(\), got function/,
  ],
  ['no header', { signature: {} }, /signature\.header/],
  ['an invalid header name', { signature: { header: 'x sig' } }, /signature\.header .* "x sig"/],
  ['an unknown encoding', { signature: { header: 'x', encoding: 'base32' } }, /encoding .* "base32"/],
  ['a prefix that is not a string', { signature: { header: 'x', prefix: null } }, /signature\.prefix/],
  [
    'a separator that is not a string',
    { signature: { header: 'x', timestamp: { header: 't', separator: 0 } } },
    /timestamp\.separator/,
  ],
  [
    'one header for the signature and its timestamp',
    { signature: { header: 'X-Sig', timestamp: { header: 'x-sig' } } },
    /timestamp\.header must not be signature\.header/,
  ],
  ['no timestamp header', { signature: { header: 'x', timestamp: {} } }, /timestamp\.header/],
  [
    'a tolerance of 0',
    { signature: { header: 'x', timestamp: { header: 't', toleranceSeconds: 0 } } },
    /toleranceSeconds .* 0/,
  ],
  [
    'an infinite tolerance',
    { signature: { header: 'x', timestamp: { header: 't', toleranceSeconds: Number.POSITIVE_INFINITY } } },
    /toleranceSeconds/,
  ],
  ['a limit of 0 bytes', { maxBodyBytes: 0 }, /maxBodyBytes .* 0/],
  ['a limit of half a byte', { maxBodyBytes: 0.5 }, /maxBodyBytes/],
  ['an invalid schema', { events: { x: {} } }, /events\["x"\]/],
  ['no dedupe key', { dedupe: {} }, /dedupe\.key/],
  ['a store without release()', { dedupe: { key, store: { claim() {}, complete() {} } } }, /release/],
  ['a TTL of 0', { dedupe: { key, ttlSeconds: 0 } }, /ttlSeconds/],
  [
    'a TTL of more than 10 years',
    { dedupe: { key, ttlSeconds: 315_360_001 } },
    'dedupe.ttlSeconds must be a positive number up to 315360000, got 315360001.',
  ],
  [
    'a lease of more than 10 years',
    { dedupe: { key, leaseSeconds: 1e15 } },
    /^dedupe\.leaseSeconds .* up to 315360000/,
  ],
  ['a lease that is not a number', { dedupe: { key, leaseSeconds: Number.NaN } }, /leaseSeconds/],
])('%s is refused when the receiver is created', (_, options, message) => {
  const build = () => createWebhooks({ ...good, ...options } as WebhooksOptions);
  expect(build).toThrow(WebhookConfigurationError);
  expect(build).toThrow(TypeError);
  expect(build).toThrow(
    expect.objectContaining({ name: 'WebhookConfigurationError', code: 'INVALID_CONFIGURATION' }),
  );
  expect(build).toThrow(message);
});

test.each([
  'Jefe',
  'whsec_x',
  'my-secret_',
  'abcdefghijklmnop_',
  'Zm9v_YmFy_abcdefghijklmnopqrstuvwxyz0123456_',
  '_',
  'a b',
  '=',
  '\u0000',
])('an unusual secret is accepted: %j', (secret) => {
  expect(() => createWebhooks({ ...good, secret })).not.toThrow();
});

test.each([
  ['a header name', 'x-sig', 'string'],
  ['a scheme that is not called', standardWebhooks, 'function'],
  ['nothing', undefined, 'undefined'],
])('sign refuses %s as the signature', async (_, signature, type) => {
  const signing = sign('body', { ...good, signature: signature as never });
  await expect(signing).rejects.toThrow(
    `signature must be { header: "x-sig" } or standardWebhooks(), got ${type}.`,
  );
});

test('sign refuses an empty secret', async () => {
  await expect(sign('body', { ...good, secret: '' })).rejects.toThrow(WebhookConfigurationError);
});

test.each([0, -1, 1.5, Number.NaN])('a memory store of %s keys is refused', (maxKeys) => {
  expect(() => createMemoryDedupeStore({ maxKeys })).toThrow(/maxKeys/);
});

test('a handler that is not a function and a handler for an event without a schema are refused', () => {
  const webhooks = createWebhooks(good);
  expect(() => webhooks.on('message.created', undefined as never)).toThrow(/^A handler must be a function/);
  for (const [name, says] of [
    [
      'message.create',
      'Unknown event `message.create`. Did you mean `message.created`? Add a schema to events, or',
    ],
    [
      'lead.lost',
      'Unknown event `lead.lost`. Known: message.created. Add a schema to events, or use onUnknown.',
    ],
    ['__proto__', 'Unknown event `__proto__`. Known: message.created.'],
    ['constructor', 'Unknown event `constructor`. Known: message.created.'],
  ] as const) {
    const subscribe = () => webhooks.on(name as 'message.created', () => {});
    expect(subscribe).toThrow(WebhookConfigurationError);
    expect(subscribe).toThrow(says);
  }
});

test('neither inspection, JSON nor errors of the receiver contain the secret', async () => {
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
  for (const body of ['', '{}', message]) {
    await deliver(body, await sign(body, { ...good, secret }));
  }
  try {
    createWebhooks({ ...good, secret: `${secret} ` });
  } catch (error) {
    failures.push(error);
  }
  expect(failures).toHaveLength(7);
  for (const error of failures) {
    shown.push(inspect(error, { depth: 9, showHidden: true }), JSON.stringify(error), String(error));
  }
  for (const text of shown) {
    expect(text).not.toContain('S3CRET');
  }
});

test('later changes to the bytes of a secret have no effect', async () => {
  for (const path of cryptoPaths) {
    for (const secret of [new TextEncoder().encode('secret'), Buffer.from('secret')]) {
      const headers = await sign('body', { ...good, secret });
      const webhooks = path.createWebhooks({ ...good, secret });
      secret.fill(0);
      expect(await webhooks.verify('body', headers)).toEqual({ secretIndex: 0 });
    }
  }
});

test.each([
  new DataView(new TextEncoder().encode('secret').buffer),
  new Uint16Array(new TextEncoder().encode('secret').buffer),
  new TextEncoder().encode('secret').buffer,
])('a secret may be any view of bytes: %o', async (secret) => {
  const headers = await sign('body', { ...good, secret: 'secret' });
  const webhooks = createWebhooks({ ...good, secret: secret as unknown as Uint8Array });
  expect(await webhooks.verify('body', headers)).toEqual({ secretIndex: 0 });
});

test('an error has a name, a code and a status', async () => {
  const error = await createWebhooks(good)
    .verify('', {})
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(WebhookError);
  expect(error).toMatchObject({ name: 'WebhookError', code: 'MISSING_SIGNATURE', status: 401 });
  expect(String(error)).toMatch(/^WebhookError: The delivery has no "x-sig" header/);
});

test.each([
  ['options of sign', { secrett: 'x' }, /Unknown option of sign `secrett`\. Did you mean `secret`\?/],
  [
    'the signature',
    { signature: { header: 'x', prefx: 'v1=' } },
    /Unknown field of signature `prefx`\. Did you mean `prefix`\?/,
  ],
  [
    'the timestamp',
    { signature: { header: 'x', timestamp: { header: 't', seperator: '' } } },
    /of signature\.timestamp `seperator`\. Did you mean `separator`\?/,
  ],
])('sign and signedRequest refuse a misspelled name in %s', async (_, options, message) => {
  const misspelled = { ...good, ...options };
  await expect(sign('body', misspelled)).rejects.toThrow(message);
  const signing = signedRequest('https://r.test', { event: 'x', data: {} }, misspelled);
  await expect(signing).rejects.toThrow(WebhookConfigurationError);
});

test.each(['undefined', 'null', '[object Object]'])(
  'sign refuses the text %j as a secret',
  async (secret) => {
    await expect(sign('body', { ...good, secret })).rejects.toThrow(/is the text/);
  },
);

test('createMemoryDedupeStore and detectSignature refuse misspelled names', async () => {
  expect(() => createMemoryDedupeStore({ maxkeys: 5 } as object)).toThrow(/Did you mean `maxKeys`/);
  const captured = { header: {}, body: '', secret: 'x' } as unknown as CapturedDelivery;
  await expect(detectSignature(captured)).rejects.toThrow(/`header`\. Did you mean `headers`/);
});

test.each([undefined, null, {}, () => {}])('adapters refuse %o instead of a receiver', async (webhooks) => {
  expect(() => toNodeHandler(webhooks as Receiver)).toThrow(
    /toNodeHandler must be called with a receiver from createWebhooks\(\), got /,
  );
  expect(() => toLambdaHandler(webhooks as Receiver)).toThrow(/toLambdaHandler must be called with/);
  const app = fastify().register(fastifyWebhooks, { webhooks: webhooks as Receiver });
  await expect(app.ready()).rejects.toThrow(/fastifyWebhooks must be called with/);
});

test('fastifyWebhooks refuses a misspelled option and accepts those of register()', async () => {
  const webhooks = createWebhooks(good);
  const misspelled = fastify().register(fastifyWebhooks, { webhooks, pth: '/in' } as never);
  await expect(misspelled.ready()).rejects.toThrow(/option of fastifyWebhooks `pth`\. Did you mean `path`/);
  const options = { webhooks, prefix: '/hooks', logLevel: 'silent', logSerializers: {} } as const;
  await fastify().register(fastifyWebhooks, options).ready();
});
