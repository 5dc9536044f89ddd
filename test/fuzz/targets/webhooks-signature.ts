/**
 * All schemes, encodings and forms of headers, with genuine signatures mixed in: `verify` accepts exactly what a verifier
 * written on `node:crypto` accepts, with node:crypto and WebCrypto.
 */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import type { SignatureEncoding } from '@confab/webhooks';
import { createWebhooks, standardWebhooks, timestamped, WebhookError } from '@confab/webhooks';
import * as fc from 'fast-check';
import { checkMessage, same } from '../checks.ts';
import { nearText, piece } from '../inputs.ts';
import { target as define } from '../target.ts';

type Pair = readonly [name: string, value: string];
type Encoding = Exclude<SignatureEncoding, 'auto'>;

const NOW = 1_769_860_800_000;
const SECONDS = NOW / 1_000;
const KEYS = [Buffer.from('0123456789abcdef0123456789abcdef'), Buffer.from('the key of the next rotation')];
const WHSEC = KEYS.map((key) => `whsec_${key.toString('base64')}`);

/** The values of a header. Only ASCII letters have a case, as in HTTP. */
const valuesOf = (headers: readonly Pair[], name: string): string[] =>
  headers
    .filter(([given]) => given.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) === name)
    .map(([, value]) => value);

const only = (headers: readonly Pair[], name: string): string => {
  const values = valuesOf(headers, name);
  return values.length === 1 ? (values[0] ?? '') : '';
};

/** What the headers of a delivery say, before anything is compared. */
interface Read {
  readonly signatures: readonly string[];
  readonly preamble: string;
  readonly timestamp?: string;
  readonly id?: string;
}

/** A configuration of a receiver, genuine headers for it, and how the reference reads headers. */
interface Setup {
  readonly options: Pick<Parameters<typeof createWebhooks>[0], 'secret' | 'signature'>;
  readonly encodings: readonly Encoding[];
  /** Genuine headers: `$` and the name of an encoding stand for a signature. */
  readonly examples: readonly (readonly Pair[])[];
  /** What a sender of these headers would have signed before the body. */
  readonly preamble: (headers: readonly Pair[]) => string;
  /** Undefined for headers that must be refused. */
  readonly read: (headers: readonly Pair[]) => Read | undefined;
}

const isTime = (text: string | undefined): text is string => /^[0-9]{1,15}$/.test(text ?? '');

const standard = (prefix: string, secret: readonly (string | Buffer)[]): Setup => {
  const [idName, timeName, name] = ['id', 'timestamp', 'signature'].map((part) => `${prefix}-${part}`) as [
    string,
    string,
    string,
  ];
  const example = (value: string): Pair[] => [
    [idName, 'msg_1'],
    [timeName, `${SECONDS}`],
    [name, value],
  ];
  return {
    options: { secret, signature: standardWebhooks({ headerPrefix: prefix }) },
    encodings: ['base64'],
    examples: [
      'v1,$base64',
      'v1a,AAAA v1,$base642 v1,AAAA',
      'v1,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA= v1,$base64',
    ].map(example),
    preamble: (headers) => `${valuesOf(headers, idName)[0] ?? ''}.${valuesOf(headers, timeName)[0] ?? ''}.`,
    read: (headers) => {
      const [id, timestamp, value] = [only(headers, idName), only(headers, timeName), only(headers, name)];
      const isRead =
        /^[\x21-\x2d\x2f-\x7e]{1,256}$/.test(id) &&
        isTime(timestamp) &&
        value !== '' &&
        value.length <= 4_096;
      const signatures = value.split(' ').flatMap((item) => (item.startsWith('v1,') ? [item.slice(3)] : []));
      return isRead ? { signatures, timestamp, id, preamble: `${id}.${timestamp}.` } : undefined;
    },
  };
};

const stripe = (encoding: Encoding, delimiter: string, separator: string): Setup => {
  const header = 'stripe-signature';
  return {
    options: { secret: KEYS, signature: timestamped({ header, encoding, delimiter, separator }) },
    encodings: [encoding],
    examples: [
      [`t=${SECONDS}`, `v1=$${encoding}`],
      [`v1=$${encoding}2`, `t=${SECONDS}`, `v1=${'0'.repeat(64)}`, 'v0=6ffb'],
      [`t=${SECONDS + 300}`, 'v1=AAAA', `v1=$${encoding}`],
    ].map((fields): Pair[] => [[header, fields.join(delimiter)]]),
    preamble: (headers) =>
      `${/(?:^|\W)t=(\d+)/.exec(valuesOf(headers, header)[0] ?? '')?.[1] ?? ''}${separator}`,
    read: (headers) => {
      const value = only(headers, header);
      const fields = value.split(delimiter).map((field) => /^([^=]*)(?:=(.*))?$/s.exec(field) ?? []);
      const times = fields.filter(([, name]) => name?.trim() === 't').map(([, , time]) => time);
      const signatures = fields.filter(([, name]) => name === 'v1').map(([, , signature]) => signature);
      const [timestamp] = times;
      return value.length <= 4_096 &&
        times.length === 1 &&
        isTime(timestamp) &&
        !signatures.includes(undefined)
        ? { signatures: signatures as string[], timestamp, preamble: timestamp + separator }
        : undefined;
    },
  };
};

const plain = (encoding: SignatureEncoding, prefix: string, separator?: string): Setup => {
  const encodings: Encoding[] = encoding === 'auto' ? ['hex', 'base64', 'base64url'] : [encoding];
  const timestamp = separator === undefined ? {} : { timestamp: { header: 'X-Time', separator } };
  return {
    options: { secret: KEYS, signature: { header: 'X-Sig', encoding, prefix, ...timestamp } },
    encodings,
    examples: encodings.map((name, at): Pair[] => [
      ['X-Sig', `${prefix}$${name}${at === 2 ? '2' : ''}`],
      ['x-time', `${SECONDS}`],
    ]),
    preamble: (headers) =>
      separator === undefined ? '' : (valuesOf(headers, 'x-time')[0] ?? '') + separator,
    read: (headers) => {
      const [value, time] = [only(headers, 'x-sig'), only(headers, 'x-time')];
      const read = { signatures: [value.slice(prefix.length)], preamble: '' };
      if (value === '' || !value.startsWith(prefix) || (separator !== undefined && !isTime(time))) {
        return undefined;
      }
      return separator === undefined ? read : { ...read, timestamp: time, preamble: time + separator };
    },
  };
};

const SETUPS: Readonly<Record<string, Setup>> = {
  standard: standard('webhook', WHSEC),
  svix: standard('svix', KEYS),
  stripe: stripe('hex', ',', '.'),
  spaced: stripe('base64', '; ', ':'),
  auto: plain('auto', ''),
  hex: plain('hex', 'sha256='),
  url: plain('base64url', 'v0=', '.'),
  base64: plain('base64', '', ''),
};

const digest = (key: Buffer, preamble: string, body: string): Buffer =>
  createHmac('sha256', key).update(preamble).update(body).digest();

/** Spellings of a digest. The last two must be refused. */
const SPELLINGS: Readonly<Record<string, (bytes: Buffer) => string>> = {
  hex: (bytes) => bytes.toString('hex'),
  base64url: (bytes) => bytes.toString('base64url'),
  base64: (bytes) => bytes.toString('base64'),
  upper: (bytes) => bytes.toString('hex').toUpperCase(),
  // With one of the two bits set that belong to no byte.
  stray: (bytes) =>
    bytes.toString('base64').replace(/.(?==$)/, (last) => String.fromCharCode(last.charCodeAt(0) + 1)),
};
const PLACE = new RegExp(`\\$(${Object.keys(SPELLINGS).join('|')})(2?)`, 'g');

/** Verifies by comparing texts: each genuine signature is written in every spelling that counts. */
const referenceVerify = (
  { read, encodings }: Setup,
  headers: readonly Pair[],
  body: string,
): object | undefined => {
  const { signatures = [], preamble = '', timestamp, id } = read(headers) ?? {};
  const secretIndex = KEYS.findIndex((key) =>
    encodings
      .map((encoding) => digest(key, preamble, body).toString(encoding))
      // Padding of base64url is optional.
      .some(
        (text, at) =>
          signatures.includes(text) || (encodings[at] === 'base64url' && signatures.includes(`${text}=`)),
      ),
  );
  const isInTime = timestamp === undefined || Math.abs(Number(timestamp) - SECONDS) <= 300;
  return secretIndex >= 0 && isInTime ? { secretIndex, ...(id && { id }) } : undefined;
};

/** The forms that frameworks give headers. */
const FORMS: Readonly<Record<string, (headers: readonly Pair[]) => unknown>> = {
  raw: (headers) => headers.flat(),
  pairs: (headers) => headers.map((pair) => [...pair]),
  record: (headers) =>
    Object.fromEntries(
      Map.groupBy(headers, ([name]) => name)
        .entries()
        .map(([name, pairs]) => [name, pairs.length === 1 ? pairs[0]?.[1] : pairs.map(([, value]) => value)]),
    ),
  headers: (headers) => new Headers(headers.map(([name, value]) => [name, value])),
};

const withoutNodeCrypto = <Result>(create: () => Result): Result => {
  const { getBuiltinModule } = process;
  process.getBuiltinModule = (() => undefined) as never;
  try {
    return create();
  } finally {
    process.getBuiltinModule = getBuiltinModule;
  }
};

const receivers = Object.entries(SETUPS).map(([name, { options }]) => {
  const create = () => createWebhooks({ ...options, now: () => NOW });
  return [name, { node: create(), web: withoutNodeCrypto(create) }] as const;
});
const receiverOf = new Map(receivers);

const CODES = [
  'MISSING_SIGNATURE',
  'MALFORMED_SIGNATURE',
  'AMBIGUOUS_SIGNATURE',
  'SIGNATURE_MISMATCH',
  'TIMESTAMP_OUT_OF_TOLERANCE',
];

const TOKENS = [
  ...Object.keys(SPELLINGS).flatMap((name) => [`$${name}`, `$${name}2`]),
  'v1,',
  'v1=',
  't=',
  `${SECONDS}`,
  `${SECONDS - 301}`,
  ',',
  ' ',
  '; ',
  '=',
];

const deliveries = ([name, { examples }]: [string, Setup]) => {
  const example = fc.constantFrom(...examples);
  const value = (text: string) =>
    nearText([text], piece(TOKENS)).map((value) => value.replaceAll(/[^\x20-\x7e]/g, '').trim());
  const pairs = (headers: readonly Pair[]) =>
    fc.tuple(
      ...headers.map(([name, text]) =>
        fc.tuple(fc.constantFrom(name, name.toUpperCase()), fc.oneof(fc.constant(text), value(text))),
      ),
    );
  return fc.record({
    name: fc.constant(name),
    headers: example.chain(pairs),
    again: fc.option(fc.nat(3), { nil: undefined, freq: 8 }),
    body: fc.constantFrom('{"event":"a","data":{}}', '', 'é'),
    form: fc.constantFrom(...Object.keys(FORMS)),
    crypto: fc.constantFrom('node' as const, 'node' as const, 'web' as const),
  });
};

export const target = define(
  fc.oneof(...Object.entries(SETUPS).map(deliveries)),
  async ({ name, headers, again, body, form, crypto }) => {
    const setup = SETUPS[name] as Setup;
    const preamble = setup.preamble(headers);
    const sent = headers
      .concat(again === undefined ? [] : headers.slice(again, again + 1))
      .map(
        ([header, value]): Pair => [
          header,
          value.replaceAll(
            PLACE,
            (_, spelling: string, second: string) =>
              SPELLINGS[spelling]?.(digest(KEYS[second === '' ? 0 : 1] as Buffer, preamble, body)) ?? '',
          ),
        ],
      );
    const given = FORMS[form]?.(sent);
    // `Headers` joins the values of a name.
    const wanted = referenceVerify(setup, given instanceof Headers ? [...given] : sent, body);
    const verified = await receiverOf
      .get(name)
      ?.[crypto].verify(body, given as never)
      .catch((error: unknown) => {
        assert.ok(error instanceof WebhookError, error as Error);
        assert.ok(CODES.includes(error.code) && error.status === 401, error.code);
        const values = sent.map(([, value]) => value).filter((value) => value.length > 40);
        checkMessage(error.message, [...KEYS.map(String), ...WHSEC, ...values], 1_000);
      });
    same(verified, wanted, 'verified');
  },
);
