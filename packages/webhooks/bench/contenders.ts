import { createHmac, timingSafeEqual } from 'node:crypto';
import { verify as verifyOctokit } from '@octokit/webhooks-methods';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { Webhook as SvixWebhook } from 'svix';
import type { Contender } from '../../../scripts/bench/measure.ts';
import { createWebhooks, sign, standardWebhooks, timestamped } from '../dist/index.js';

const secret = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const event = {
  event: 'message.created',
  data: {
    conversationId: crypto.randomUUID(),
    channel: 'web',
    body: 'Lorem ipsum dolor sit amet. '.repeat(67),
  },
};

/** A body of 2 kB as text. */
export const text = JSON.stringify(event);
const bytes = Buffer.from(text);

/** The usual other headers of a delivery, which make header look-ups cost as much as in production. */
const others = {
  host: 'receiver.example',
  'user-agent': 'sender/1.0',
  accept: '*/*',
  'accept-encoding': 'gzip, deflate',
  'content-type': 'application/json',
  'content-length': String(bytes.length),
  connection: 'keep-alive',
};

const signature = { header: 'x-webhook-signature' };
const headers = { ...others, ...(await sign(text, { secret, signature })) };
const confab = createWebhooks({ secret, signature });

/** The hand-written equivalent on Node, with the checks that are indispensable. */
const byHand = (body: string | Buffer): unknown => {
  const expected = createHmac('sha256', secret).update(body).digest();
  const received = Buffer.from(headers['x-webhook-signature'] ?? '', 'hex');
  if (received.length !== expected.length || !timingSafeEqual(received, expected)) {
    throw new Error('forged');
  }
  return JSON.parse(body as string);
};

const encodedSecret = `whsec_${Buffer.from(secret).toString('base64')}`;
const standard = new StandardWebhook(encodedSecret);
const standardHeaders = {
  ...others,
  'webhook-id': 'msg_1',
  'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
  'webhook-signature': standard.sign('msg_1', new Date(), text),
};

const svix = new SvixWebhook(encodedSecret);
const svixHeaders = {
  ...others,
  'svix-id': 'msg_1',
  'svix-timestamp': String(Math.floor(Date.now() / 1000)),
  'svix-signature': svix.sign('msg_1', new Date(), text),
};

const confabStandard = createWebhooks({ secret: encodedSecret, signature: standardWebhooks() });

const octokitSignature = `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`;
const stripe = new Stripe('sk_test_x');
const stripeHeader = stripe.webhooks.generateTestHeaderString({ payload: text, secret });
const stripeHeaders = { ...others, 'stripe-signature': stripeHeader };
const toleranceSeconds = 86_400;
const confabStripe = createWebhooks({
  secret,
  signature: timestamped({ header: 'stripe-signature', toleranceSeconds }),
});

export const OURS = '@confab/webhooks';
export const OURS_STANDARD = '@confab/webhooks, `standardWebhooks()`';
export const OURS_STRIPE = '@confab/webhooks, `timestamped()`';

/** The baseline of all other rows. */
export const BASELINE = 'createHmac + timingSafeEqual + JSON.parse';

/** The contenders by kind of body: each is measured with the kinds that it accepts. */
export const contenders: Record<'text' | 'bytes', Contender[]> = {
  text: [
    { name: BASELINE, run: () => byHand(text) },
    { name: OURS, run: () => confab.unwrap(text, headers) },
    { name: OURS_STANDARD, run: () => confabStandard.unwrap(text, standardHeaders) },
    { name: OURS_STRIPE, run: () => confabStripe.unwrap(text, stripeHeaders) },
    { name: 'standardwebhooks', run: () => standard.verify(text, standardHeaders) },
    { name: 'svix', run: () => svix.verify(text, svixHeaders) },
    {
      name: '@octokit/webhooks-methods',
      run: async () => {
        if (!(await verifyOctokit(secret, text, octokitSignature))) {
          throw new Error('forged');
        }
        return JSON.parse(text);
      },
    },
    {
      name: 'stripe',
      run: () => stripe.webhooks.constructEvent(text, stripeHeader, secret, toleranceSeconds),
    },
  ],
  bytes: [
    { name: BASELINE, run: () => byHand(bytes) },
    { name: OURS, run: () => confab.unwrap(bytes, headers) },
    { name: OURS_STANDARD, run: () => confabStandard.unwrap(bytes, standardHeaders) },
    { name: OURS_STRIPE, run: () => confabStripe.unwrap(bytes, stripeHeaders) },
    { name: 'standardwebhooks', run: () => standard.verify(bytes, standardHeaders) },
    { name: 'svix', run: () => svix.verify(bytes, svixHeaders) },
    {
      name: 'stripe',
      run: () => stripe.webhooks.constructEvent(bytes, stripeHeader, secret, toleranceSeconds),
    },
  ],
};
