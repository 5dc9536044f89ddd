import type { Bytes } from '../body.ts';
import { decodeSignature, SIGNATURE_ENCODINGS } from '../signature/encoding.ts';
import type { Signature } from '../signature/plain.ts';
import type { Secret } from '../signature/secret.ts';
import { standardWebhooks } from '../signature/standard-webhooks.ts';
import { timestamped } from '../signature/timestamped.ts';
import type { SecretForm } from './secret-forms.ts';
import { secretForms, standardSecretForms } from './secret-forms.ts';

/** A header of a delivery, with its name in lower case. */
export type Header = readonly [name: string, value: string];

/** A way in which the delivery could be signed: one of the signatures is the HMAC of the preamble and the body. */
export interface Candidate {
  readonly preamble: string;
  readonly keys: ReadonlyMap<SecretForm, Bytes>;
  readonly signatures: readonly {
    readonly bytes: Uint8Array;
    /** Returns the value of the `signature` option that reads it. */
    readonly option: () => Signature;
  }[];
}

/** The separators that senders put between a timestamp and the body. */
export const SEPARATORS = ['.', ':', '', '|', '\n'];

/** Each timestamp adds candidates, and a stranger may have sent them. */
const MAX_TIMESTAMPS = 8;

/** Each field adds candidates, and a stranger may have sent them. */
const MAX_FIELDS = 16;

const DELIMITERS = [',', ', ', ';', '; ', '&', '|', ' '];

/** The characters that 32 bytes take at the end of a header. */
const ENDINGS = [
  ['hex', 64],
  ['base64', 44],
  ['base64url', 43],
  ['base64url', 44],
] as const;

/** The options of `timestamped()` that need not be set. */
const DEFAULTS: Readonly<Record<string, string>> = {
  timestampField: 't',
  signatureField: 'v1',
  delimiter: ',',
  separator: '.',
  encoding: 'hex',
};

/** Whether a text looks like a Unix time in seconds or milliseconds, of any year from 2001 to 2065. */
const isUnixTime = (text: string): boolean => /^[12]\d{9}(?:\d{3})?$/.test(text);

/** Whether a header could hold an HMAC-SHA256: 32 bytes take 64 digits of hex or 43 characters of base64. */
export const holdsDigest = ([, value]: Header): boolean => /[\w+/-]{43}/.test(value);

/** A signature at the end of a header, over the body alone or after the timestamp in another header. */
const plainCandidates = (
  headers: readonly Header[],
  signed: readonly Header[],
  keys: Candidate['keys'],
): Candidate[] => {
  const endings = signed.flatMap(([header, value]) =>
    ENDINGS.flatMap(([encoding, length]) => {
      const bytes = decodeSignature(value.slice(-length), encoding);
      const prefix = value.slice(0, -length);
      return bytes ? [{ bytes, format: { header, encoding, ...(prefix && { prefix }) } }] : [];
    }),
  );
  const timestamps = headers.filter(([, value]) => isUnixTime(value)).slice(0, MAX_TIMESTAMPS);
  return [
    {
      preamble: '',
      keys,
      signatures: endings.map(({ bytes, format }) => ({ bytes, option: () => format })),
    },
    ...timestamps.flatMap(([header, value]) =>
      SEPARATORS.map((separator) => ({
        preamble: value + separator,
        keys,
        signatures: endings.map(({ bytes, format }) => ({
          bytes,
          option: () => ({ ...format, timestamp: { header, separator } }),
        })),
      })),
    ),
  ];
};

/** The three headers of Standard Webhooks, with any prefix. */
const standardCandidates = (headers: readonly Header[], [name]: Header, secret: Secret): Candidate[] => {
  const [, headerPrefix] = /^([\w-]+)-signature$/.exec(name) ?? [];
  if (headerPrefix === undefined) {
    return [];
  }
  const scheme = standardWebhooks(headerPrefix === 'webhook' ? {} : { headerPrefix });
  try {
    const { preamble, signatures } = scheme.read(headers);
    const keys = standardSecretForms(scheme, secret);
    return [{ preamble, keys, signatures: signatures.map((bytes) => ({ bytes, option: () => scheme })) }];
  } catch {
    // The header of another scheme.
    return [];
  }
};

/** Lists the fields of a header such as `t=1700000000,v1=9f86…`. */
const fieldsOf = (value: string, delimiter: string): Header[] => {
  const fields = value.split(delimiter).map((item) => /^(\w{1,64})=(.+)$/.exec(item));
  return fields.length > MAX_FIELDS
    ? []
    : fields.flatMap((field) => (field ? [[field[1], field[2]] as unknown as Header] : []));
};

/** Fields of one header: a timestamp, and signatures. */
const timestampedCandidates = ([header, value]: Header, keys: Candidate['keys']): Candidate[] =>
  DELIMITERS.flatMap((delimiter) => {
    const fields = fieldsOf(value, delimiter);
    const signatures = fields.flatMap(([signatureField, text]) =>
      SIGNATURE_ENCODINGS.flatMap((encoding) => {
        const bytes = decodeSignature(text, encoding);
        return bytes ? [{ bytes, signatureField, encoding }] : [];
      }),
    );
    const timestamps = fields.filter(([, text]) => isUnixTime(text));
    return timestamps.flatMap(([timestampField, time]) =>
      // timestamped() refuses an empty one.
      SEPARATORS.filter((separator) => separator !== '').map((separator) => ({
        preamble: time + separator,
        keys,
        signatures: signatures.map(({ bytes, signatureField, encoding }) => ({
          bytes,
          option: () => {
            const options = { header, timestampField, signatureField, delimiter, separator, encoding };
            const set = Object.entries(options).filter(([name, given]) => given !== DEFAULTS[name]);
            return timestamped(Object.fromEntries(set) as typeof options);
          },
        })),
      })),
    );
  });

/** Lists the ways in which a delivery could be signed, the most common ones first. */
export const candidatesFor = (headers: readonly Header[], secret: Secret): Candidate[] => {
  const keys = secretForms(secret);
  const signed = headers.filter(holdsDigest);
  return [
    ...plainCandidates(headers, signed, keys),
    ...signed.flatMap((header) => [
      ...standardCandidates(headers, header, secret),
      ...timestampedCandidates(header, keys),
    ]),
  ].filter(({ signatures }) => signatures.length > 0);
};
