import { createHmac } from 'node:crypto';
import type { Signature } from '@confab/webhooks';
import {
  createWebhooks,
  sign,
  signedRequest,
  standardWebhooks,
  timestamped,
  WebhookConfigurationError,
} from '@confab/webhooks';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { expect, test } from 'vitest';
import { cryptoPaths } from './support/crypto-paths.ts';
import published from './support/vectors/standard-webhooks.json' with { type: 'json' };
import publishedByStripe from './support/vectors/stripe.json' with { type: 'json' };

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const body = '{"event":"other","data":{}}';
const stripe = timestamped({ header: 'Stripe-Signature' });
const seconds = 1_700_000_000;
const now = () => seconds * 1000;

for (const path of cryptoPaths) {
  for (const { source, headerPrefix, signature, ...signed } of published.vectors) {
    test(`${path.name}: the signature of ${source} verifies, and signing returns it`, async () => {
      const scheme = standardWebhooks({ headerPrefix });
      const headers = {
        [`${headerPrefix}-id`]: signed.id,
        [`${headerPrefix}-timestamp`]: String(signed.timestamp),
        [`${headerPrefix}-signature`]: signature,
      };
      const { id, timestamp } = signed;
      const webhooks = path.createWebhooks({
        secret: signed.secret,
        signature: scheme,
        now: () => timestamp * 1000,
      });
      expect(await webhooks.verify(signed.body, headers)).toEqual({ secretIndex: 0, id });
      const options = { secret: signed.secret, signature: scheme, id, timestamp };
      expect(await path.sign(signed.body, options)).toEqual(headers);
    });
  }

  for (const vector of publishedByStripe.vectors) {
    test(`${path.name}: the signature of ${vector.source} verifies, and signing returns it`, async () => {
      const { timestamp, signature, otherSignature } = vector;
      const options = { secret: vector.secret, signature: stripe };
      const webhooks = path.createWebhooks({ ...options, now: () => timestamp * 1000 });
      const value = `t=${timestamp},${signature}`;
      for (const header of [value, `${value},${otherSignature}`]) {
        expect(await webhooks.verify(vector.body, { 'stripe-signature': header })).toEqual({
          secretIndex: 0,
        });
      }
      await expect(
        webhooks.verify(vector.body, { 'stripe-signature': `t=${timestamp},${otherSignature}` }),
      ).rejects.toMatchObject({ code: 'MALFORMED_SIGNATURE' });
      expect(await path.sign(vector.body, { ...options, timestamp })).toEqual({
        'stripe-signature': value,
      });
    });
  }

  test(`${path.name}: a header with a timestamp is signed and verified`, async () => {
    const headers = await path.sign(body, { secret, signature: stripe, timestamp: seconds });
    const digest = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
    expect(headers).toEqual({ 'stripe-signature': `t=${seconds},v1=${digest}` });
    const webhooks = path.createWebhooks({ secret: ['another', secret], signature: stripe, now });
    expect(await webhooks.verify(body, headers)).toEqual({ secretIndex: 1 });
  });
}

test.each<[name: string, signature: Signature, header: RegExp]>([
  [
    'Paddle',
    timestamped({
      header: 'paddle-signature',
      timestampField: 'ts',
      signatureField: 'h1',
      delimiter: ';',
      separator: ':',
    }),
    /^ts=\d+;h1=[0-9a-f]{64}$/,
  ],
  [
    'base64 after a comma and a space',
    timestamped({ header: 'x-sig', delimiter: ', ', encoding: 'base64' }),
    /^t=\d+, v1=[\w+/]{43}=$/,
  ],
])('the form of %s is signed and verified', async (_, signature, header) => {
  const headers = await sign(body, { secret, signature });
  expect(Object.values(headers)).toEqual([expect.stringMatching(header)]);
  await createWebhooks({ secret, signature }).verify(body, headers);
});

test('a receiver handles signed requests, and handlers get the signed id', async () => {
  const signature = standardWebhooks();
  const webhooks = createWebhooks({ secret, signature });
  const ids: (string | undefined)[] = [];
  webhooks.onUnknown((_, { id }) => ids.push(id));
  const event = { event: 'other', data: {} };
  for (const options of [
    { secret, signature, id: 'msg_1' },
    { secret, signature },
  ]) {
    const response = await webhooks.fetch(await signedRequest('https://r.test/', event, options));
    expect(response.status).toBe(200);
  }
  expect(ids).toEqual(['msg_1', expect.stringMatching(/^msg_[0-9a-f-]{36}$/)]);
});

test('a secret in base64 works with and without its prefix and its padding, and bytes are the key itself', async () => {
  const signature = standardWebhooks();
  const key = new TextEncoder().encode('a key of 25 bytes, padded');
  const text = Buffer.from(key).toString('base64');
  expect(text).toMatch(/=$/);
  const headers = await sign(body, { secret: key, signature });
  for (const form of [text, `whsec_${text}`, text.replaceAll('=', ''), key]) {
    await createWebhooks({ secret: form, signature }).verify(body, headers);
  }
});

// The specification asks for 24 to 64 bytes. HMAC hashes a key of more than 64 bytes first.
for (const { name, Webhook, headerPrefix } of [
  { name: 'standardwebhooks', Webhook: StandardWebhook, headerPrefix: 'webhook' },
  { name: 'svix', Webhook: SvixWebhook, headerPrefix: 'svix' },
]) {
  test.each([1, 23, 24, 64, 65, 200])(
    `a key of %i bytes works, as in the package ${name}`,
    async (length) => {
      const key = Buffer.alloc(length, 'a').toString('base64');
      const signature = standardWebhooks({ headerPrefix });
      const webhooks = createWebhooks({ secret: `whsec_${key}`, signature, now });
      const headers = {
        [`${headerPrefix}-id`]: 'msg_1',
        [`${headerPrefix}-timestamp`]: String(seconds),
        [`${headerPrefix}-signature`]: new Webhook(key).sign('msg_1', new Date(now()), body),
      };
      expect(await webhooks.verify(body, headers)).toEqual({ secretIndex: 0, id: 'msg_1' });
    },
  );
}

test.each([
  'whsec_not base64',
  'whsec_MfKQ 9r8G',
  'whsec_abc$',
  'whsec_a',
  'whsec_abcde',
  'whsec_ab=c',
  'whsk_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  'whsec_TfKQ-r8GKYqrTwjUPD8ILPZIo2LaLaSw',
])('the secret %j is refused, because it is not base64', async (invalid) => {
  const signature = standardWebhooks();
  expect(() => createWebhooks({ secret: invalid, signature })).toThrow(/secret must be base64/);
  await expect(sign(body, { secret: invalid, signature })).rejects.toThrow(WebhookConfigurationError);
  expect(() => createWebhooks({ secret: [secret, invalid], signature })).toThrow(
    /^secret\[1\] must be base64/,
  );
});

test('an empty secret, a placeholder and a prefix alone are refused with a scheme too', () => {
  for (const signature of [standardWebhooks(), stripe]) {
    expect(() => createWebhooks({ secret: '', signature })).toThrow(/secret is empty/);
    expect(() => createWebhooks({ secret: 'undefined', signature })).toThrow(/secret is the text/);
    expect(() => createWebhooks({ secret: 'whsec_', signature })).toThrow(/only a prefix/);
  }
});

const standardHeaders = (id = 'msg_1') =>
  sign(body, { secret, signature: standardWebhooks(), id, timestamp: seconds });

test.each<[name: string, change: (headers: Record<string, string>) => object, code: string]>([
  ['no id', ({ 'webhook-id': _, ...rest }) => rest, 'MISSING_SIGNATURE'],
  ['no timestamp', ({ 'webhook-timestamp': _, ...rest }) => rest, 'MISSING_SIGNATURE'],
  ['no signature', ({ 'webhook-signature': _, ...rest }) => rest, 'MISSING_SIGNATURE'],
  ['an empty id', (headers) => ({ ...headers, 'webhook-id': '' }), 'MISSING_SIGNATURE'],
  ['another id', (headers) => ({ ...headers, 'webhook-id': 'msg_2' }), 'SIGNATURE_MISMATCH'],
  [
    'another timestamp',
    (headers) => ({ ...headers, 'webhook-timestamp': '1700000001' }),
    'SIGNATURE_MISMATCH',
  ],
  ['an id with a full stop', (headers) => ({ ...headers, 'webhook-id': 'a.b' }), 'MALFORMED_SIGNATURE'],
  [
    'an id of 257 characters',
    (headers) => ({ ...headers, 'webhook-id': 'a'.repeat(257) }),
    'MALFORMED_SIGNATURE',
  ],
  ['an id that is not ASCII', (headers) => ({ ...headers, 'webhook-id': 'é' }), 'MALFORMED_SIGNATURE'],
  ['two ids', (headers) => ({ ...headers, 'webhook-id': ['msg_1', 'msg_1'] }), 'AMBIGUOUS_SIGNATURE'],
  [
    'two timestamps',
    (headers) => ({ ...headers, 'webhook-timestamp': '1700000000, 1' }),
    'AMBIGUOUS_SIGNATURE',
  ],
  [
    'letters as the timestamp',
    (headers) => ({ ...headers, 'webhook-timestamp': '17e8' }),
    'MALFORMED_SIGNATURE',
  ],
  [
    'only another version',
    (headers) => ({ ...headers, 'webhook-signature': 'v1a,abc' }),
    'MALFORMED_SIGNATURE',
  ],
  [
    'a signature that is too long',
    (headers) => ({ ...headers, 'webhook-signature': `${headers['webhook-signature']} `.repeat(100) }),
    'MALFORMED_SIGNATURE',
  ],
])('Standard Webhooks: %s is refused', async (_, change, code) => {
  const webhooks = createWebhooks({ secret, signature: standardWebhooks(), now });
  const headers = await standardHeaders();
  expect(await webhooks.verify(body, headers)).toEqual({ secretIndex: 0, id: 'msg_1' });
  await expect(webhooks.verify(body, change(headers) as Record<string, string>)).rejects.toMatchObject({
    code,
    status: 401,
  });
});

test('an id cannot take over the beginning of another id, of the timestamp or of the body', async () => {
  const signature = standardWebhooks();
  await expect(sign(body, { secret, signature, id: 'msg.1' })).rejects.toThrow(/id must be .* "msg\.1"/);
  const webhooks = createWebhooks({ secret, signature, now });
  const inner = `${seconds}.${body}`;
  const captured = await sign(inner, { secret, signature, id: 'msg_1', timestamp: 5 });
  const shifted = { ...captured, 'webhook-id': 'msg_1.5', 'webhook-timestamp': String(seconds) };
  await expect(webhooks.verify(body, shifted)).rejects.toMatchObject({ code: 'MALFORMED_SIGNATURE' });
});

test.each<[name: string, value: (good: string) => string | string[], code: string]>([
  ['no header', () => '', 'MISSING_SIGNATURE'],
  ['two headers', (good) => [good, good], 'AMBIGUOUS_SIGNATURE'],
  ['two headers that were joined', (good) => `${good}, ${good}`, 'AMBIGUOUS_SIGNATURE'],
  ['two timestamps', (good) => `t=1,${good}`, 'AMBIGUOUS_SIGNATURE'],
  ['no timestamp', (good) => good.replace(/t=\d+,/, ''), 'MALFORMED_SIGNATURE'],
  ['a timestamp with a letter', (good) => good.replace('t=', 't=x'), 'MALFORMED_SIGNATURE'],
  ['a timestamp of 16 digits', (good) => good.replace('t=', 't=000000'), 'MALFORMED_SIGNATURE'],
  ['no signature', (good) => good.replace('v1', 'v0'), 'MALFORMED_SIGNATURE'],
  [
    'uppercase hex',
    (good) => good.toUpperCase().replace('T=', 't=').replace('V1=', 'v1='),
    'MALFORMED_SIGNATURE',
  ],
  ['another timestamp', (good) => good.replace('t=17', 't=18'), 'SIGNATURE_MISMATCH'],
  ['a header that is too long', (good) => `${good},${'x'.repeat(4096)}`, 'MALFORMED_SIGNATURE'],
])('a header with a timestamp: %s is refused', async (_, change, code) => {
  const webhooks = createWebhooks({ secret, signature: stripe, now });
  const { 'stripe-signature': good = '' } = await sign(body, {
    secret,
    signature: stripe,
    timestamp: seconds,
  });
  await webhooks.verify(body, { 'stripe-signature': good });
  await expect(webhooks.verify(body, { 'stripe-signature': change(good) })).rejects.toMatchObject({
    code,
    status: 401,
  });
});

test('the tolerance is 5 minutes in both directions, and can be changed', async () => {
  for (const [create, tolerance] of [
    [() => standardWebhooks(), 300],
    [() => timestamped({ header: 'x-sig' }), 300],
    [() => standardWebhooks({ toleranceSeconds: 10 }), 10],
    [() => timestamped({ header: 'x-sig', toleranceSeconds: 10 }), 10],
  ] as const) {
    const signature = create();
    const webhooks = createWebhooks({ secret, signature, now });
    const verifyAt = async (timestamp: number) =>
      webhooks.verify(body, await sign(body, { secret, signature, timestamp }));
    await verifyAt(seconds - tolerance);
    await verifyAt(seconds + tolerance);
    for (const timestamp of [seconds - tolerance - 1, seconds + tolerance + 1]) {
      await expect(verifyAt(timestamp)).rejects.toMatchObject({ code: 'TIMESTAMP_OUT_OF_TOLERANCE' });
    }
  }
});

test('a delivery that is a millisecond older or newer than the tolerance allows is refused', async () => {
  const signature = timestamped({ header: 'x-sig' });
  const headers = await sign(body, { secret, signature, timestamp: seconds });
  const verifyAt = (ms: number) => createWebhooks({ secret, signature, now: () => ms }).verify(body, headers);
  for (const distance of [-300_000, 300_000]) {
    await verifyAt(seconds * 1000 + distance);
    await expect(verifyAt(seconds * 1000 + distance + Math.sign(distance))).rejects.toMatchObject({
      code: 'TIMESTAMP_OUT_OF_TOLERANCE',
    });
  }
});

test('the whole id is signed, however long it is', async () => {
  const id = `msg_${'x'.repeat(251)}`;
  const signature = new StandardWebhook(secret).sign(`${id}1`, new Date(now()), body);
  const headers = {
    'webhook-id': `${id}1`,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signature,
  };
  const options = { secret, signature: standardWebhooks() };
  expect(await sign(body, { ...options, id: `${id}1`, timestamp: seconds })).toEqual(headers);
  const webhooks = createWebhooks({ ...options, now });
  expect(await webhooks.verify(body, headers)).toEqual({ secretIndex: 0, id: `${id}1` });
  await expect(webhooks.verify(body, { ...headers, 'webhook-id': `${id}2` })).rejects.toMatchObject({
    code: 'SIGNATURE_MISMATCH',
  });
});

test('a timestamp is checked only after the signature', async () => {
  const forged = await sign(body, { secret: 'YW5vdGhlcg==', signature: standardWebhooks(), timestamp: 5 });
  const webhooks = createWebhooks({ secret, signature: standardWebhooks(), now });
  await expect(webhooks.verify(body, forged)).rejects.toMatchObject({ code: 'SIGNATURE_MISMATCH' });
});

test.each<[name: string, create: () => Signature, message: RegExp]>([
  ['a misspelled option', () => standardWebhooks({ tolerance: 5 } as object), /standardWebhooks `tolerance`/],
  [
    'an invalid prefix',
    () => standardWebhooks({ headerPrefix: 'a b' }),
    /headerPrefix must be a header name/,
  ],
  ['a tolerance of 0', () => standardWebhooks({ toleranceSeconds: 0 }), /toleranceSeconds must be/],
  ['no options', () => timestamped(undefined as never), /options of timestamped must be an object/],
  ['no header', () => timestamped({} as never), /header must be a header name/],
  ['a misspelled field', () => timestamped({ header: 'x', field: 't' } as never), /timestamped `field`/],
  ['an invalid field', () => timestamped({ header: 'x', signatureField: 'v=1' }), /signatureField must be/],
  ['the same field twice', () => timestamped({ header: 'x', signatureField: 't' }), /must differ/],
  ['a letter as the delimiter', () => timestamped({ header: 'x', delimiter: 'a' }), /delimiter must be/],
  ['text before a delimiter', () => timestamped({ header: 'x', delimiter: 'a,' }), /delimiter must be/],
  ['text after a delimiter', () => timestamped({ header: 'x', delimiter: ',a' }), /delimiter must be/],
  [
    'a list as the delimiter',
    () => timestamped({ header: 'x', delimiter: [','] as never }),
    /delimiter must be .*, got \[","\]/,
  ],
  [
    'a tolerance in words',
    () => timestamped({ header: 'x', toleranceSeconds: '5' as never }),
    /^toleranceSeconds must be/,
  ],
  [
    'a number as a separator',
    () => timestamped({ header: 'x', separator: 5 as never }),
    /^separator must be/,
  ],
  [
    'a number as a field',
    () => timestamped({ header: 'x', timestampField: 5 as never }),
    /^timestampField must be/,
  ],
  [
    'an empty separator',
    () => timestamped({ header: 'x', separator: '' }),
    /^separator must start with a character that is not a digit.*, got ""\.$/,
  ],
  ['a separator that starts with a digit', () => timestamped({ header: 'x', separator: '0:' }), /got "0:"/],
  ['an unknown encoding', () => timestamped({ header: 'x', encoding: 'auto' as 'hex' }), /encoding must be/],
])('%s is refused when the scheme is created', (_, create, message) => {
  expect(create).toThrow(WebhookConfigurationError);
  expect(create).toThrow(message);
});

test('the source of a scheme is the code that creates it', () => {
  expect(standardWebhooks().source).toBe('standardWebhooks()');
  expect(standardWebhooks({ headerPrefix: 'svix' }).source).toBe('standardWebhooks({"headerPrefix":"svix"})');
  expect(timestamped({ header: 'x', delimiter: undefined }).source).toBe('timestamped({"header":"x"})');
});
