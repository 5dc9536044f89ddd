import { createHmac } from 'node:crypto';
import type { SignatureScheme } from '@confab/webhooks';
import { createWebhooks, sign, standardWebhooks, timestamped } from '@confab/webhooks';
import { expect, test } from 'vitest';

const NOW = 1_700_000_000;
const key = Buffer.from('a key that both sides know');
const secret = key.toString('base64');
const body = '{"event":"x","data":{}}';

const outcomeOf = (signature: SignatureScheme, secret: string, headers: Record<string, string>) =>
  createWebhooks({ secret, signature, now: () => NOW * 1000 })
    .verify(body, headers)
    .then(
      () => 'accepted',
      ({ code }: { code: string }) => code,
    );

const standard = createHmac('sha256', key).update(`msg_1.${NOW}.${body}`).digest('base64');
const other = Buffer.alloc(32).toString('base64');

test.each([
  [`v1,${standard}`, 'accepted'],
  [`v1,${other} v1,${standard}`, 'accepted'],
  [`v1,junk v1,${standard}`, 'accepted'],
  [`v1a,${other} v1,${standard} v2,junk`, 'accepted'],
  // Each version may mean another algorithm, so its signatures prove nothing here.
  [`v2,${standard}`, 'MALFORMED_SIGNATURE'],
  [`v2,${standard} v1,${other}`, 'SIGNATURE_MISMATCH'],
  [standard, 'MALFORMED_SIGNATURE'],
  ['v1,junk v1,', 'MALFORMED_SIGNATURE'],
])('standardWebhooks(): the list %s is %s', async (list, outcome) => {
  const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': String(NOW), 'webhook-signature': list };
  expect(await outcomeOf(standardWebhooks(), secret, headers)).toBe(outcome);
});

const hex = createHmac('sha256', secret).update(`${NOW}.${body}`).digest('hex');

/** A header of some length, filled with a field that no one knows. */
const filledTo = (length: number) => {
  const start = `t=${NOW},v1=${hex},x=`;
  return start + 'x'.repeat(length - start.length);
};

test.each<[title: string, value: string, outcome: string]>([
  ['one signature', `t=${NOW},v1=${hex}`, 'accepted'],
  ['junk next to a signature', `t=${NOW},v1=junk,v1=${hex}`, 'accepted'],
  ['unknown fields', `t=${NOW},v0=${hex},v1=${hex},tt=1,`, 'accepted'],
  ['a signature without its equals sign', `t=${NOW},v1=${hex},v1`, 'MALFORMED_SIGNATURE'],
  [
    'a timestamp with an equals sign in it',
    `t=${String(NOW).slice(0, 5)}=${String(NOW).slice(5)},v1=${hex}`,
    'MALFORMED_SIGNATURE',
  ],
  ['4096 characters', filledTo(4096), 'accepted'],
  ['4097 characters', filledTo(4097), 'MALFORMED_SIGNATURE'],
])('timestamped(): a header with %s', async (_, value, outcome) => {
  expect(await outcomeOf(timestamped({ header: 'x-sig' }), secret, { 'x-sig': value })).toBe(outcome);
});

test.each([1, 2, 3])('a delivery signed with none of %i secrets is a mismatch', async (count) => {
  const secrets = ['first', 'second', 'third'].slice(0, count);
  const signature = { header: 'x-sig' };
  const webhooks = createWebhooks({ secret: secrets, signature });
  const forged = await sign(body, { secret: 'a guess', signature });
  await expect(webhooks.verify(body, forged)).rejects.toMatchObject({ code: 'SIGNATURE_MISMATCH' });
});
