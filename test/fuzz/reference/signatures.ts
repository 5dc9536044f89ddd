import { createHmac } from 'node:crypto';
import type { Signature } from '../../../packages/webhooks/src/signature/plain.ts';
import { standardWebhooks } from '../../../packages/webhooks/src/signature/standard-webhooks.ts';
import { timestamped } from '../../../packages/webhooks/src/signature/timestamped.ts';
import type { Message } from '../engine/message.ts';
import type { Pair } from './headers.ts';
import { valuesOf } from './headers.ts';

/** The time at which deliveries are verified, in milliseconds. */
export const NOW = 1_769_860_800_000;
const TOLERANCE = 300;

const KEYS = [Buffer.from('0123456789abcdef0123456789abcdef'), Buffer.from('the key of the next rotation')];
/** The secrets as bytes and, for `standardWebhooks()`, as text. */
export const SECRETS = [...KEYS, ...KEYS.map((key) => `whsec_${key.toString('base64')}`)];

type Encoding = 'hex' | 'base64' | 'base64url';

/** What the headers of a delivery say, before anything is compared. */
interface Read {
  readonly signatures: readonly string[];
  readonly preamble: string;
  readonly timestamp?: string | undefined;
  readonly id?: string | undefined;
}

/** One configuration of a receiver, and how the reference reads it. */
export interface Setup {
  readonly secrets: (string | Buffer)[];
  readonly signature: Signature;
  /** The spellings of a digest that count. */
  readonly encodings: readonly Encoding[];
  /** Returns undefined for headers that must be refused. */
  readonly read: (headers: readonly Pair[]) => Read | undefined;
  /** The text before the body that the sender of these headers would have signed. */
  readonly preamble: (headers: readonly Pair[]) => string;
}

const isTime = (text: string | undefined): text is string => text !== undefined && /^[0-9]{1,15}$/.test(text);

const only = (headers: readonly Pair[], name: string): string | undefined => {
  const values = valuesOf(headers, name);
  return values.length === 1 && values[0] !== '' ? values[0] : undefined;
};

const standard = (prefix: string, secrets: Setup['secrets']): Setup => ({
  secrets,
  signature: standardWebhooks(prefix === 'webhook' ? {} : { headerPrefix: prefix }),
  encodings: ['base64'],
  read: (headers) => {
    const [id, timestamp, value] = ['id', 'timestamp', 'signature'].map((name) =>
      only(headers, `${prefix}-${name}`),
    );
    if (
      !id ||
      !/^[\x21-\x2d\x2f-\x7e]{1,256}$/.test(id) ||
      !isTime(timestamp) ||
      !value ||
      value.length > 4_096
    ) {
      return undefined;
    }
    const signatures = value.split(' ').flatMap((item) => (item.startsWith('v1,') ? [item.slice(3)] : []));
    return { signatures, timestamp, id, preamble: `${id}.${timestamp}.` };
  },
  preamble: (headers) =>
    `${valuesOf(headers, `${prefix}-id`)[0] ?? ''}.${valuesOf(headers, `${prefix}-timestamp`)[0] ?? ''}.`,
});

const stripe = (options: { delimiter?: string; encoding?: Encoding; separator?: string }): Setup => {
  const { delimiter = ',', encoding = 'hex', separator = '.' } = options;
  return {
    secrets: KEYS,
    signature: timestamped({ header: 'stripe-signature', ...options }),
    encodings: [encoding],
    read: (headers) => {
      const value = only(headers, 'stripe-signature');
      if (value === undefined || value.length > 4_096) {
        return undefined;
      }
      const fields = value.split(delimiter).map((field): [string, string | undefined] => {
        const equals = field.indexOf('=');
        return equals < 0 ? [field, undefined] : [field.slice(0, equals), field.slice(equals + 1)];
      });
      const times = fields.filter(([name]) => name.trim() === 't');
      const signatures = fields.filter(([name]) => name === 'v1').map(([, text]) => text);
      const timestamp = times[0]?.[1];
      return times.length === 1 && isTime(timestamp) && !signatures.includes(undefined)
        ? { signatures: signatures as string[], timestamp, preamble: timestamp + separator }
        : undefined;
    },
    preamble: (headers) =>
      `${/(?:^|\W)t=(\d+)/.exec(valuesOf(headers, 'stripe-signature')[0] ?? '')?.[1] ?? ''}${separator}`,
  };
};

const plain = (encoding: Encoding | 'auto', prefix: string, separator?: string): Setup => ({
  secrets: KEYS,
  signature: {
    header: 'X-Sig',
    encoding,
    prefix,
    ...(separator === undefined ? {} : { timestamp: { header: 'X-Time', separator } }),
  },
  encodings: encoding === 'auto' ? ['hex', 'base64', 'base64url'] : [encoding],
  read: (headers) => {
    const value = only(headers, 'x-sig');
    if (!value?.startsWith(prefix)) {
      return undefined;
    }
    const signatures = [value.slice(prefix.length)];
    const timestamp = separator === undefined ? undefined : only(headers, 'x-time');
    if (separator === undefined) {
      return { signatures, preamble: '' };
    }
    return isTime(timestamp) ? { signatures, timestamp, preamble: timestamp + separator } : undefined;
  },
  preamble: (headers) =>
    separator === undefined ? '' : `${valuesOf(headers, 'x-time')[0] ?? ''}${separator}`,
});

export const SETUPS: ReadonlyMap<string, Setup> = new Map([
  ['standard', standard('webhook', SECRETS.slice(2))],
  ['svix', standard('svix', KEYS)],
  ['stripe', stripe({})],
  ['spaced', stripe({ delimiter: '; ', encoding: 'base64', separator: ':' })],
  ['auto', plain('auto', '')],
  ['hex', plain('hex', 'sha256=')],
  ['url', plain('base64url', 'v0=', '.')],
  ['base64', plain('base64', '', '')],
]);

const digest = (key: Buffer, preamble: string, body: Uint8Array): Buffer =>
  createHmac('sha256', key).update(preamble, 'utf8').update(body).digest();

/** What stands for a signature in an input. The last two are spellings that a receiver must refuse. */
const PLACES: Readonly<Record<string, (bytes: Buffer) => string>> = {
  HEX: (bytes) => bytes.toString('hex'),
  B64: (bytes) => bytes.toString('base64'),
  URL: (bytes) => bytes.toString('base64url'),
  UPPER: (bytes) => bytes.toString('hex').toUpperCase(),
  // With one of the two bits set that belong to no byte.
  STRAY: (bytes) =>
    bytes.toString('base64').replace(/.(?==$)/, (last) => String.fromCharCode(last.charCodeAt(0) + 1)),
};

/** Puts genuine signatures where a message asks for them. */
export const signInto = ({ preamble }: Setup, { headers, body }: Message): Pair[] => {
  const text = preamble(headers);
  return headers.map(([name, value]) => [
    name,
    value.replaceAll(
      /\$(HEX|B64|URL|UPPER|STRAY)(2?)/g,
      (_, place: string, second: string) =>
        PLACES[place]?.(digest(KEYS[second ? 1 : 0] ?? Buffer.alloc(0), text, body)) ?? '',
    ),
  ]);
};

/** All spellings of a digest that a setup accepts. Padding of base64url is optional. */
const spellings = (bytes: Buffer, encodings: readonly Encoding[]): string[] =>
  encodings.flatMap((encoding) => {
    const text = bytes.toString(encoding);
    return encoding === 'base64url' ? [text, `${text}=`] : [text];
  });

/**
 * Verifies a delivery by comparing texts: each genuine signature is written in every spelling that counts. Returns what
 * `verify` must resolve to, or undefined if it must reject.
 */
export const referenceVerify = (
  setup: Setup,
  headers: readonly Pair[],
  body: Uint8Array,
): object | undefined => {
  const read = setup.read(headers);
  if (read === undefined) {
    return undefined;
  }
  const { signatures, preamble, timestamp, id } = read;
  const secretIndex = KEYS.findIndex((key) =>
    spellings(digest(key, preamble, body), setup.encodings).some((text) => signatures.includes(text)),
  );
  const isInTime = timestamp === undefined || Math.abs(Number(timestamp) - NOW / 1_000) <= TOLERANCE;
  return secretIndex >= 0 && isInTime ? { secretIndex, ...(id && { id }) } : undefined;
};
