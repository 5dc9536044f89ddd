import type { SignatureScheme } from '@confab/webhooks';
import { createWebhooks, sign, standardWebhooks, timestamped } from '@confab/webhooks';
import fc from 'fast-check';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { Webhook as SvixWebhook } from 'svix';
import { expect } from 'vitest';

type HeaderRecord = Readonly<Record<string, string>>;

/** A delivery as it arrives, and its secret. */
interface Arrival {
  readonly secret: string;
  readonly headers: HeaderRecord;
  readonly body: string;
}

/** The library of a scheme's authors. */
export interface Reference {
  readonly name: string;
  readonly signature: SignatureScheme;
  /** The names of the headers with the signature and the timestamp. */
  readonly header: string;
  readonly timestampHeader: string;
  /** Whether the library also refuses timestamps in the future. This package always does. */
  readonly refusesFuture: boolean;
  sign(signing: Arrival & { readonly id: string; readonly timestamp: number }): HeaderRecord;
  /** Throws for a delivery that is not genuine. */
  verify(arrival: Arrival): void;
  /** Header values that contain the genuine one among others, all of which must be accepted. */
  amongOthers(genuine: string): readonly string[];
  /** Header values without a genuine signature, all of which must be refused. */
  damaged(genuine: string): readonly string[];
}

const now = (): number => Math.floor(Date.now() / 1000);

const OTHER = Buffer.alloc(32, 7);
const base64 = OTHER.toString('base64');
const hex = OTHER.toString('hex');

const standard = (
  name: string,
  prefix: string,
  Webhook: typeof StandardWebhook | typeof SvixWebhook,
): Reference => ({
  name,
  signature: standardWebhooks({ headerPrefix: prefix }),
  header: `${prefix}-signature`,
  timestampHeader: `${prefix}-timestamp`,
  refusesFuture: true,
  sign: ({ secret, id, timestamp, body }) => ({
    [`${prefix}-id`]: id,
    [`${prefix}-timestamp`]: String(timestamp),
    [`${prefix}-signature`]: new Webhook(secret).sign(id, new Date(timestamp * 1000), body),
  }),
  verify: ({ secret, headers, body }) => {
    new Webhook(secret).verify(body, headers);
  },
  amongOthers: (genuine) => [
    ...[`v1,${base64} ${genuine}`, `${genuine} v1,${base64}`],
    `v1a,${base64} v2,x ${genuine} v1,short`,
  ],
  damaged: (genuine) => [
    ...[genuine.slice(0, -1), genuine.slice(0, -2), `${genuine}=`, genuine.slice(3)],
    ...[genuine.replace('v1', 'v2'), genuine.replace('v1,', 'v1=')],
    ...[`v1,${base64}`, 'v1,', 'v1', ',', ' '],
  ],
});

const stripe = new Stripe('sk_test_x');

/** The reference libraries. */
export const references: readonly Reference[] = [
  standard('standardwebhooks', 'webhook', StandardWebhook),
  standard('svix', 'svix', SvixWebhook),
  {
    name: 'stripe',
    signature: timestamped({ header: 'stripe-signature' }),
    header: 'stripe-signature',
    timestampHeader: 'stripe-signature',
    refusesFuture: false,
    sign: ({ secret, timestamp, body }) => ({
      'stripe-signature': stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp }),
    }),
    verify: ({ secret, headers, body }) => {
      stripe.webhooks.constructEvent(body, headers['stripe-signature'] ?? '', secret);
    },
    amongOthers: (genuine) => {
      const [time, signature] = genuine.split(',');
      return [
        ...[`${genuine},v1=${hex}`, `${time},v1=${hex},${signature},v0=${hex}`],
        ...[`${signature},${time}`, `v0=x,${genuine},v1=short`],
      ];
    },
    damaged: (genuine) => [
      ...[genuine.slice(0, -1), `${genuine}0`, genuine.replace(',', ''), genuine.replace(/,.*/, '')],
      ...[genuine.replace('v1=', 'v0='), genuine.replace('v1=', 'v1'), genuine.replace('t=', 'x=')],
      ...[`${genuine.split(',')[0]},v1=${hex}`, 't=,v1=', `${genuine},v1`, `${genuine},t`, ','],
    ],
  },
];

const accepts = (reference: Reference, arrival: Arrival): boolean => {
  try {
    reference.verify(arrival);
    return true;
  } catch {
    return false;
  }
};

const weAccept = async ({ signature }: Reference, { secret, headers, body }: Arrival): Promise<boolean> => {
  const webhooks = createWebhooks({ secret, signature });
  return webhooks.unwrap(body, headers).then(
    () => true,
    () => false,
  );
};

/** Bodies are events, because both libraries of Standard Webhooks parse what they accept. */
const bodies = fc
  .record({ event: fc.string({ unit: 'grapheme' }), data: fc.dictionary(fc.string(), fc.jsonValue()) })
  .map((event) => JSON.stringify({ ...event, event: `x.${event.event}` }));

const signings = fc.record({
  secret: fc
    .uint8Array({ minLength: 1, maxLength: 100 })
    .map((bytes) => `whsec_${Buffer.from(bytes).toString('base64')}`),
  id: fc.stringMatching(/^[!-\-/-~]{1,40}$/),
  age: fc.integer({ min: -280, max: 280 }),
  body: bodies,
});

/** How much to compare. */
export interface Effort {
  readonly numRuns: number;
  /** Compares every change to every delivery. Otherwise one change to each, because the libraries hash slowly. */
  readonly everyChange: boolean;
}

/**
 * Checks both directions on random deliveries: both sign alike, and both accept and refuse the same deliveries. A failure
 * prints its seed.
 */
export const compareWith = (reference: Reference, { numRuns, everyChange }: Effort): Promise<void> => {
  const agree = async (arrival: Arrival, theirs: boolean, ours = theirs) => {
    const verdicts = [accepts(reference, arrival), await weAccept(reference, arrival)];
    expect([...verdicts, arrival]).toEqual([theirs, ours, arrival]);
  };
  const property = fc.asyncProperty(
    signings,
    fc.nat(),
    fc.integer({ min: 0x21, max: 0x7e }),
    async ({ secret, id, age, body }, position, code) => {
      const timestamp = now() - age;
      const { signature, header } = reference;
      const signedAt = (time: number) => reference.sign({ secret, id, timestamp: time, body, headers: {} });
      const headers = signedAt(timestamp);
      expect(await sign(body, { secret, signature, id, timestamp })).toEqual(headers);
      const genuine = { secret, headers, body };
      await agree(genuine, true);

      const withHeader = (name: string, value: string) => ({
        ...genuine,
        headers: { ...headers, [name]: value },
      });
      const value = headers[header] ?? '';
      const time = headers[reference.timestampHeader] ?? '';
      const otherSecret = `whsec_${Buffer.from(`${secret}!`).toString('base64')}`;
      const refused = [
        ...reference.damaged(value).map((changed) => withHeader(header, changed)),
        ...Object.keys(headers).map((name) => {
          const { [name]: _, ...rest } = headers;
          return { ...genuine, headers: rest };
        }),
        withHeader(reference.timestampHeader, time.replace(/\d{10}/, String(timestamp + 1))),
        { ...genuine, body: `${body} ` },
        { ...genuine, body: body.replace('x.', 'y.') },
        { ...genuine, secret: otherSecret },
        { ...genuine, headers: signedAt(now() - 310) },
      ];
      const changes = [
        ...reference.amongOthers(value).map((changed) => () => agree(withHeader(header, changed), true)),
        ...refused.map((arrival) => () => agree(arrival, false)),
        () => agree({ ...genuine, headers: signedAt(now() + 310) }, !reference.refusesFuture, false),
        // A library may ignore a changed character, such as a letter after a timestamp. This package never does.
        ...Object.entries(headers).map(([name, text]) => async () => {
          const index = position % text.length;
          const changed = text.slice(0, index) + String.fromCharCode(code) + text.slice(index + 1);
          const arrival = withHeader(name, changed);
          expect([await weAccept(reference, arrival), arrival]).toEqual([changed === text, arrival]);
        }),
      ];
      for (const compare of everyChange ? changes : [changes[position % changes.length]]) {
        await compare?.();
      }
    },
  );
  return fc.assert(property, { numRuns });
};
