import { createHmac } from 'node:crypto';
import type { Signature, SignatureScheme } from '@confab/webhooks';
import {
  createWebhooks,
  sign,
  standardWebhooks,
  timestamped,
  WebhookConfigurationError,
} from '@confab/webhooks';
import { expect, test } from 'vitest';
import { cryptoPaths } from './support/crypto-paths.ts';
import { codeOf, createReceiver } from './support/receiver.ts';
import published from './support/vectors/standard-webhooks.json' with { type: 'json' };
import publishedByStripe from './support/vectors/stripe.json' with { type: 'json' };

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const body = '{"event":"other","data":{}}';
const stripe = timestamped({ header: 'Stripe-Signature' });
const seconds = 1_700_000_000;
const now = () => seconds * 1000;

/** Verifies the body with these headers, and resolves to `accepted` or to the code of the error. */
const outcomeOf = (signature: SignatureScheme, headers: object, clock = now) =>
  codeOf(createWebhooks({ secret, signature, now: clock }).verify(body, headers as Record<string, string>));

for (const path of cryptoPaths) {
  for (const { source, headerPrefix, signature, id, timestamp, ...signed } of published.vectors) {
    test(`${path.name}: the signature of ${source} verifies, and sign() creates the same`, async () => {
      const options = { secret: signed.secret, signature: standardWebhooks({ headerPrefix }) };
      const headers = {
        [`${headerPrefix}-id`]: id,
        [`${headerPrefix}-timestamp`]: String(timestamp),
        [`${headerPrefix}-signature`]: signature,
      };
      const webhooks = path.createWebhooks({ ...options, now: () => timestamp * 1000 });
      expect(await webhooks.verify(signed.body, headers)).toEqual({ secretIndex: 0, id });
      expect(await path.sign(signed.body, { ...options, id, timestamp })).toEqual(headers);
    });
  }

  for (const { source, timestamp, signature, otherSignature, ...signed } of publishedByStripe.vectors) {
    test(`${path.name}: the signature of ${source} verifies, and sign() creates the same`, async () => {
      const options = { secret: signed.secret, signature: stripe };
      const webhooks = path.createWebhooks({ ...options, now: () => timestamp * 1000 });
      const verify = (value: string) => webhooks.verify(signed.body, { 'stripe-signature': value });
      const value = `t=${timestamp},${signature}`;
      expect(await verify(value)).toEqual({ secretIndex: 0 });
      expect(await verify(`${value},${otherSignature}`)).toEqual({ secretIndex: 0 });
      await expect(verify(`t=${timestamp},${otherSignature}`)).rejects.toThrow('must contain "v1="');
      expect(await path.sign(signed.body, { ...options, timestamp })).toEqual({ 'stripe-signature': value });
    });
  }
}

test('handlers receive the signed id, which is random unless sign() gets an id', async () => {
  const options = { secret, signature: standardWebhooks() };
  const { webhooks, deliver } = createReceiver(options);
  const ids: (string | undefined)[] = [];
  webhooks.onAny((_, { id }) => ids.push(id));
  const statuses = [await deliver(body, { ...options, id: 'msg_1' }), await deliver(body, options)];
  expect(statuses).toEqual([200, 200]);
  expect(ids).toEqual(['msg_1', expect.stringMatching(/^msg_[0-9a-f-]{36}$/)]);
});

test('standardWebhooks() takes base64 with or without prefix and padding, and bytes as the key itself', async () => {
  const signature = standardWebhooks();
  const key = new TextEncoder().encode('a key of 25 bytes, padded');
  const text = Buffer.from(key).toString('base64');
  const headers = await sign(body, { secret: key, signature });
  for (const form of [text, `whsec_${text}`, text.replaceAll('=', ''), key]) {
    const { secretIndex } = await createWebhooks({ secret: form, signature }).verify(body, headers);
    expect(secretIndex).toBe(0);
  }
});

const notBase64 =
  'must be base64, usually with whsec_ before it. If the sender uses its characters as the key, pass new TextEncoder().encode(secret).';

test.each<[invalid: string, problem: string]>([
  ...['whsec_not base64', 'whsec_MfKQ 9r8G', 'whsec_abc$', 'whsec_a', 'whsec_abcde', 'whsec_ab=c'].map(
    (invalid): [string, string] => [invalid, notBase64],
  ),
  ['whsk_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', notBase64],
  ['whsec_TfKQ-r8GKYqrTwjUPD8ILPZIo2LaLaSw', notBase64],
  [
    `v1,${secret}`,
    'starts with "v1,", which is not part of it. Pass only the text after it; pass several as a list.',
  ],
  [
    'whpk_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    'is a public key, whose signatures (v1a) are not supported. Pass the secret, which starts with whsec_.',
  ],
])('standardWebhooks() refuses the secret %j, and the error says why', async (invalid, problem) => {
  const signature = standardWebhooks();
  const error = new WebhookConfigurationError(`\`secret\` ${problem}`);
  await expect(sign(body, { secret: invalid, signature })).rejects.toThrow(error);
  expect(() => createWebhooks({ secret: [secret, invalid], signature })).toThrow(`\`secret[1]\` ${problem}`);
});

const digest = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'));
const standard = digest.update(`msg_1.${seconds}.${body}`).digest('base64');
const other = Buffer.alloc(32).toString('base64');

test.each<[what: string, outcome: string, header: string, value?: string | string[]]>([
  ['a signature of v1', 'accepted', 'signature', `v1,${standard}`],
  ['signatures of several versions', 'accepted', 'signature', `v1a,${other} v1,${standard} v2,junk`],
  // Each version may mean a different algorithm, so signatures of other versions prove nothing.
  ['a signature of v2', 'MALFORMED_SIGNATURE', 'signature', `v2,${standard}`],
  ['a signature of v2 and a wrong one', 'SIGNATURE_MISMATCH', 'signature', `v2,${standard} v1,${other}`],
  ['malformed signatures', 'MALFORMED_SIGNATURE', 'signature', 'v1,junk v1,'],
  ['a hundred signatures', 'MALFORMED_SIGNATURE', 'signature', `v1,${standard} `.repeat(100)],
  ['no signature', 'MISSING_SIGNATURE', 'signature'],
  ['no id', 'MISSING_SIGNATURE', 'id'],
  ['a different id', 'SIGNATURE_MISMATCH', 'id', 'msg_2'],
  // The end of this id could be the timestamp of a different delivery.
  ['an id with a period', 'MALFORMED_SIGNATURE', 'id', 'msg_1.5'],
  ['an id of 257 characters', 'MALFORMED_SIGNATURE', 'id', 'a'.repeat(257)],
  ['two ids', 'AMBIGUOUS_SIGNATURE', 'id', ['msg_1', 'msg_1']],
  ['no timestamp', 'MISSING_SIGNATURE', 'timestamp'],
  ['a different timestamp', 'SIGNATURE_MISMATCH', 'timestamp', '1700000001'],
  ['two timestamps', 'AMBIGUOUS_SIGNATURE', 'timestamp', '1700000000, 1'],
])('verify() with standardWebhooks() judges %s as %s', async (_, outcome, header, value) => {
  const good = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${standard}`,
  };
  expect(await outcomeOf(standardWebhooks(), { ...good, [`webhook-${header}`]: value })).toBe(outcome);
});

test('sign() refuses an id with a period, after which the timestamp of a different delivery could stand', async () => {
  const signing = sign(body, { secret, signature: standardWebhooks(), id: 'msg.1' });
  await expect(signing).rejects.toThrow(/`id` must be .* "msg\.1"/);
});

const hex = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
const good = `t=${seconds},v1=${hex}`;
const filled = (length: number) => `${good},x=${'x'.repeat(length - good.length - 3)}`;

test.each<[title: string, outcome: string, value: string | string[]]>([
  ['a timestamp and a signature', 'accepted', good],
  ['unknown fields', 'accepted', `t=${seconds},v0=${hex},v1=${hex},tt=1,`],
  ['4096 characters', 'accepted', filled(4096)],
  ['4097 characters', 'MALFORMED_SIGNATURE', filled(4097)],
  ['a signature without its equals sign', 'MALFORMED_SIGNATURE', `${good},v1`],
  ['an equals sign in the timestamp', 'MALFORMED_SIGNATURE', good.replace('17', '1=7')],
  ['a second value', 'AMBIGUOUS_SIGNATURE', [good, good]],
  ['two values that were joined', 'AMBIGUOUS_SIGNATURE', `${good}, ${good}`],
  ['two timestamps', 'AMBIGUOUS_SIGNATURE', `t=1,${good}`],
  ['junk next to a signature', 'accepted', `t=${seconds},v1=junk,v1=${hex}`],
  ['no timestamp', 'MALFORMED_SIGNATURE', `v1=${hex}`],
  ['a timestamp of 16 digits', 'MALFORMED_SIGNATURE', good.replace('t=', 't=000000')],
  ['no signature', 'MALFORMED_SIGNATURE', good.replace('v1', 'v0')],
  ['a changed timestamp out of tolerance', 'SIGNATURE_MISMATCH', good.replace('t=17', 't=18')],
])('verify() with timestamped() judges a header with %s as %s', async (_, outcome, value) => {
  expect(await outcomeOf(stripe, { 'stripe-signature': value })).toBe(outcome);
});

test.each<[title: string, signature: SignatureScheme, toleranceSeconds: number]>([
  ['standardWebhooks()', standardWebhooks(), 300],
  ['timestamped()', stripe, 300],
  ['timestamped(), changed', timestamped({ header: 'x-sig', toleranceSeconds: 10 }), 10],
  ['timestamped() in milliseconds', timestamped({ header: 'x-sig', unit: 'milliseconds' }), 300],
])('the tolerance of %s applies in both directions, to the millisecond', async (_, signature, tolerance) => {
  const headers = await sign(body, { secret, signature, timestamp: seconds });
  const outcomeAfter = (ms: number) => outcomeOf(signature, headers, () => now() + ms);
  for (const distance of [-tolerance * 1000, tolerance * 1000]) {
    expect(await outcomeAfter(distance)).toBe('accepted');
    expect(await outcomeAfter(distance + Math.sign(distance))).toBe('TIMESTAMP_OUT_OF_TOLERANCE');
  }
});

const x = { header: 'x' };

test.each<[message: RegExp, create: () => Signature]>([
  [/standardWebhooks option `tolerance`/, () => standardWebhooks({ tolerance: 5 } as object)],
  [/`headerPrefix` must be a header name/, () => standardWebhooks({ headerPrefix: 'a b' })],
  [/`decompress` must be true or false/, () => standardWebhooks({ decompress: 1 as never })],
  [/timestamped options must be an object/, () => timestamped(undefined as never)],
  [/`header` must be a header name/, () => timestamped({} as never)],
  [/`signatureField` must be/, () => timestamped({ ...x, signatureField: 'v=1' })],
  [/`delimiter` must be/, () => timestamped({ ...x, delimiter: 'a,' })],
  [/`delimiter` must be/, () => timestamped({ ...x, delimiter: ',a' })],
  [/`timestampField` must be/, () => timestamped({ ...x, timestampField: 5 as never })],
  [/`toleranceSeconds` must be/, () => timestamped({ ...x, toleranceSeconds: '5' as never })],
  [/^`separator` must be .* not a digit.*, got ""\.$/, () => timestamped({ ...x, separator: '' })],
  [/`separator` must be .* not a digit.*, got "0:"/, () => timestamped({ ...x, separator: '0:' })],
  [/`encoding` must be/, () => timestamped({ ...x, encoding: 'auto' as 'hex' })],
  [
    /`unit` must be one of "seconds", "milliseconds", got "ms"/,
    () => timestamped({ ...x, unit: 'ms' as 'seconds' }),
  ],
])('the factory of a scheme refuses an invalid option: %s', (message, create) => {
  expect(create).toThrow(WebhookConfigurationError);
  expect(create).toThrow(message);
});

test('the source of a scheme is the code that creates it', () => {
  expect(standardWebhooks().source).toBe('standardWebhooks()');
  expect(standardWebhooks({ headerPrefix: 'svix' }).source).toBe('standardWebhooks({"headerPrefix":"svix"})');
  expect(timestamped({ header: 'x', delimiter: undefined }).source).toBe('timestamped({"header":"x"})');
});
