import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { inspect } from 'node:util';
import type { Receiver, WebhooksOptions } from '@confab/webhooks';
import {
  createMemoryDedupeStore,
  createWebhooks,
  detectSignature,
  sign,
  signedRequest,
  timestamped,
  WebhookConfigurationError,
} from '@confab/webhooks';
import { fastifyWebhooks } from '@confab/webhooks/fastify';
import { toLambdaHandler } from '@confab/webhooks/lambda';
import { toNodeHandler } from '@confab/webhooks/node';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { cryptoPaths } from './support/crypto-paths.ts';
import { createReceiver, message, secret, signature } from './support/receiver.ts';

const key = (): string => 'k';
const enqueue = async () => {};
const good = { secret, signature };
const unset = 'Is its environment variable set?';
const signed = (options: object) => ({ signature: { header: 'x', ...options } });
const timed = (options: object) => signed({ timestamp: { header: 't', ...options } });

test.each<[options: object, message: string | RegExp]>([
  [{ secret: '' }, `\`secret\` is empty. ${unset}`],
  [{ secret: 'abc\n' }, /white space/],
  [{ secret: '"whsec_abc"' }, '`secret` has white space or quotes around it.'],
  [{ secret: Promise.resolve('abc') }, '`secret` must be a string or bytes, got a Promise: await it.'],
  [{ secret: 'whsec_' }, /only a prefix/],
  [{ secret: 'abcde_fghijklmn_' }, /only a prefix/],
  [{ secret: new Uint8Array() }, /`secret` is empty/],
  [{ secret: undefined }, `\`secret\` is undefined. ${unset}`],
  [{ secret: 5 }, /must be a string/],
  [{ secret: [undefined, undefined] }, `\`secret\` is an empty list. ${unset}`],
  [{ secret: ['one', ''] }, /`secret\[1\]` is empty/],
  [{ secret: 'undefined' }, `\`secret\` is the text "undefined". ${unset}`],
  [{ secret: ['one', '[object Promise]'] }, /`secret\[1\]` is the text/],
  [
    { signature: undefined },
    "`signature` must be an object such as { header: 'x-webhook-signature' }, or a scheme such as standardWebhooks(), got undefined.",
  ],
  [{ signature: {} }, '`signature.header` must be a header name, got undefined.'],
  [{ signature: { heaeder: 'x' } }, /signature field `heaeder`\. Did you mean `header`/],
  [signed({ header: 'x sig' }), '`signature.header` must be a header name, got "x sig".'],
  [
    signed({ encoding: 'b' }),
    '`signature.encoding` must be one of "auto", "hex", "base64", "base64url", got "b"',
  ],
  [signed({ prefix: null }), '`signature.prefix` must be a string, got null.'],
  [signed({ timestamp: 't' }), '`signature.timestamp` must be an object, got a string: pass { header }.'],
  [timed({ header: undefined }), '`signature.timestamp.header` must be a header name'],
  [timed({ header: 'X' }), '`signature.timestamp.header` must differ from `signature.header`.'],
  [timed({ unit: 'ms' }), '`signature.timestamp.unit` must be one of "seconds", "milliseconds", got "ms".'],
  [signed({ decompress: 'gzip' }), '`signature.decompress` must be true or false, got "gzip".'],
  [timed({ separator: 0 }), '`signature.timestamp.separator` must be a string'],
  [
    timed({ toleranceSeconds: 0 }),
    '`signature.timestamp.toleranceSeconds` must be a positive number, got 0.',
  ],
  [timed({ toleranceSecs: 5 }), /\.timestamp field `toleranceSecs`\. Did you mean `toleranceSeconds`/],
  [{ now: 5 }, '`now` must be a function, got 5.'],
  [{ maxBodybytes: 5 }, /createWebhooks option `maxBodybytes`\. Did you mean `maxBodyBytes`/],
  [{ maxBodyBytes: 0 }, '`maxBodyBytes` must be a whole number of at least 1, got 0.'],
  [{ events: { x: {} } }, '`events["x"]` must be a Standard Schema.'],
  [{ events: { x: undefined } }, '`events["x"]` must be a Standard Schema.'],
  [{ dedupe: null }, '`dedupe` must be an object, got null: pass { key }.'],
  [{ dedupe: true }, '`dedupe` must be an object, got a boolean: pass { key }.'],
  [{ dedupe: {} }, '`dedupe.key` must be a function, because this scheme signs no id, got undefined.'],
  [{ dedupe: {}, signature: timestamped({ header: 'x' }) }, '`dedupe.key` must be a function'],
  [{ dedupe: { key, ttlSecond: 5 } }, /dedupe field `ttlSecond`\. Did you mean `ttlSeconds`/],
  [
    { dedupe: { key, store: { claim() {}, complete() {} } } },
    '`dedupe.store` must be a store with claim(), complete() and release()',
  ],
  [
    { dedupe: { key, ttlSeconds: 315_360_001 } },
    '`dedupe.ttlSeconds` must be a positive number up to 315360000',
  ],
  [
    { ...timed({}), dedupe: { key, ttlSeconds: 299 } },
    '`dedupe.ttlSeconds` must be a positive number up to 315360000, at least toleranceSeconds (300), got 299.',
  ],
  [{ dedupe: { key, leaseSeconds: Number.NaN } }, '`dedupe.leaseSeconds` must be a positive number'],
  [
    { dedupe: { key, leaseSeconds: 0 } },
    '`dedupe.leaseSeconds` must be a positive number up to 315360000, got 0.',
  ],
  [{ dedupe: { key, ttlSeconds: '60' } }, '`dedupe.ttlSeconds` must be a positive number'],
  [{ enqueue: 'queue' }, '`enqueue` must be a function, got "queue".'],
  [{ enqueue, deliveryHeaders: 'x-id' }, '`deliveryHeaders` must be a list, got "x-id".'],
  [{ enqueue, deliveryHeaders: ['bad name'] }, '`deliveryHeaders[0]` must be a header name, got "bad name".'],
])('createWebhooks() refuses %j', (options, text) => {
  const create = () => createWebhooks({ ...good, ...options } as WebhooksOptions);
  const error = { name: 'WebhookConfigurationError', code: 'INVALID_CONFIGURATION' };
  expect(create).toThrow(TypeError);
  expect(create).toThrow(expect.objectContaining(error));
  expect(create).toThrow(text);
});

test.each([
  ...['Jefe', 'whsec_x', 'my-secret_', 'abcdefghijklmnop_', '_', 'a b', '=', '\u0000', '"', `"a'`],
  ...['a"b"', '"a"b', 'not-null', 'Zm9v_YmFy_abcdefghijklmnopqrstuvwxyz0123456_'],
])('createWebhooks() accepts the unusual secret %j', (unusual) => {
  expect(() => createWebhooks({ ...good, secret: unusual })).not.toThrow();
});

test.each([300, 315_360_000])('createWebhooks() accepts a `dedupe.ttlSeconds` of %i', (ttlSeconds) => {
  createWebhooks({ ...good, ...timed({ header: 't' }), dedupe: { key, ttlSeconds } });
});

test.each<[options: object, message: RegExp]>([
  [{ signature: undefined }, /`signature` must be an object, got undefined: pass { header }\./],
  [{ id: null }, /`id` must be a string, got null\./],
  [{ secrett: 'x' }, /Unknown signing option `secrett`\. Did you mean `secret`\?/],
  [timed({ seperator: '' }), /signature\.timestamp field `seperator`\. Did you mean `separator`\?/],
])('sign() and signedRequest() refuse %j', async (options, text) => {
  const misspelled = { ...good, ...options };
  await expect(sign('body', misspelled)).rejects.toThrow(text);
  await expect(signedRequest('https://r.test', message, misspelled)).rejects.toThrow(
    WebhookConfigurationError,
  );
});

test('signedRequest() refuses an event in the place of the URL, and accepts a URL object', async () => {
  await expect(signedRequest(message as never, 'https://r.test/' as never, good)).rejects.toThrow(
    'Call signedRequest(url, event, options) with the URL of the receiver first, got an object.',
  );
  const { url } = await signedRequest(new URL('https://r.test/'), message, good);
  expect(url).toBe('https://r.test/');
});

test('createMemoryDedupeStore() and detectSignature() refuse invalid and misspelled options', async () => {
  for (const maxKeys of [0, 1.5, Number.NaN]) {
    expect(() => createMemoryDedupeStore({ maxKeys })).toThrow(/`maxKeys` must be a whole number/);
  }
  expect(() => createMemoryDedupeStore({ maxkeys: 5 } as object)).toThrow(/Did you mean `maxKeys`/);
  const captured = detectSignature({ header: {}, body: '', secret: 'x' } as never);
  await expect(captured).rejects.toThrow(/`header`\. Did you mean `headers`/);
});

test.each<[name: string, call: () => unknown, required: string]>([
  ['createWebhooks', () => createWebhooks(secret as never), 'secret, signature'],
  ['signing', () => sign('body', secret as never), 'secret, signature'],
  ['timestamped', () => timestamped('stripe-signature' as never), 'header'],
])('the error for %s options that are a string says what to pass', async (name, call, required) => {
  await expect(async () => call()).rejects.toThrow(
    `The ${name} options must be an object, got a string: pass { ${required} }.`,
  );
});

const handler = () => {};

test.each<[name: unknown, text: string, handler?: unknown]>([
  [
    'message.create',
    'Did you mean `message.created`? Add a schema to events, or use onUnknown, onAny or onError.',
    handler,
  ],
  ['lead.lost', 'Unknown event `lead.lost`. Known: message.created.', handler],
  ['__proto__', 'Unknown event `__proto__`. Known: message.created.', handler],
  [['message.created'], 'Call on(event, handler) with the name of one event, got an array.', handler],
  [handler, 'Call on(event, handler) with the name of one event, got a function.', 'message.created'],
  ['message.created', 'A handler must be a function, got undefined.'],
])('on() refuses the event %j: %s', (name, text, given) => {
  const subscribe = () => createWebhooks(good).on(name as never, given as never);
  expect(subscribe).toThrow(WebhookConfigurationError);
  expect(subscribe).toThrow(text);
});

test('inspect() and JSON of a receiver and its errors do not contain the secret', async () => {
  const hidden = 'S3CRET-of-the-test';
  const { webhooks, errors } = createReceiver({ secret: [hidden, new TextEncoder().encode(hidden)] });
  webhooks.on('message.created', () => {
    throw new Error('handler');
  });
  const genuine = await sign(JSON.stringify(message), { ...good, secret: hidden });
  for (const headers of [{}, { 'x-sig': 'junk' }, { 'x-sig': '0'.repeat(64) }, genuine]) {
    await webhooks.receive({ method: 'POST', headers, body: JSON.stringify(message) });
  }
  expect(errors).toHaveLength(4);
  const padded = () => createWebhooks({ ...good, secret: `${hidden} ` });
  expect(padded).toThrow(expect.not.stringContaining('S3CRET'));
  for (const value of [webhooks, ...errors]) {
    const text = inspect(value, { depth: 9, showHidden: true }) + JSON.stringify(value) + String(value);
    expect(text).not.toContain('S3CRET');
  }
});

test.each<[method: 'receive' | 'fetch', given: unknown, message: string]>([
  ['receive', undefined, 'receive() must be called with { method, headers, body }, got undefined.'],
  ['receive', { method: 'POST', header: {}, body: '' }, '{ method, headers, body }, got an object.'],
  ['fetch', undefined, 'fetch() must be called with a web-standard Request.'],
  [
    'fetch',
    new IncomingMessage(new Socket()),
    'In Express, node:http and Fastify, mount the adapter of @confab/webhooks/node or /fastify.',
  ],
])('%s() rejects when it is called with %o instead of a request', async (method, given, text) => {
  const call = createWebhooks(good)[method] as (request: unknown) => Promise<unknown>;
  const attempt = call(given);
  await expect(attempt).rejects.toThrow(WebhookConfigurationError);
  await expect(attempt).rejects.toThrow(text);
});

test('verify() and unwrap() refuse a third argument, and the error says where the secret belongs', async () => {
  const webhooks = createWebhooks(good);
  const body = JSON.stringify(message);
  const headers = await sign(body, good);
  for (const method of [webhooks.verify, webhooks.unwrap]) {
    const called = (method as (...given: unknown[]) => Promise<unknown>)(body, headers, secret);
    await expect(called).rejects.toThrow(
      new WebhookConfigurationError('Pass the secret to createWebhooks(), not to verify() or unwrap().'),
    );
  }
});

test('later changes to the bytes of a secret have no effect', async () => {
  for (const path of cryptoPaths) {
    for (const bytes of [new TextEncoder().encode('secret'), Buffer.from('secret')]) {
      const headers = await sign('body', { ...good, secret: bytes });
      const webhooks = path.createWebhooks({ ...good, secret: bytes });
      bytes.fill(0);
      expect(await webhooks.verify('body', headers)).toEqual({ secretIndex: 0 });
    }
  }
});

test.each([undefined, null, {}, () => {}])(
  'the adapters refuse %o instead of a receiver',
  async (webhooks) => {
    const text = 'must be called with a receiver from createWebhooks(), got ';
    expect(() => toNodeHandler(webhooks as Receiver)).toThrow(`toNodeHandler ${text}`);
    expect(() => toLambdaHandler(webhooks as Receiver)).toThrow(`toLambdaHandler ${text}`);
    const app = fastify().register(fastifyWebhooks, { webhooks: webhooks as Receiver });
    await expect(app.ready()).rejects.toThrow(`fastifyWebhooks ${text}`);
  },
);

test('fastifyWebhooks refuses a misspelled option, and accepts the options of register()', async () => {
  const webhooks = createWebhooks(good);
  const misspelled = fastify().register(fastifyWebhooks, { webhooks, pth: '/in' } as never);
  await expect(misspelled.ready()).rejects.toThrow(/fastifyWebhooks option `pth`\. Did you mean `path`/);
  const options = { webhooks, prefix: '/hooks', logLevel: 'silent', logSerializers: {} } as const;
  await fastify().register(fastifyWebhooks, options).ready();
});
