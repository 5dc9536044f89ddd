import { readFile } from 'node:fs/promises';
import { UsageError } from '@confab/internal/cli';
import { InvalidArgumentError, Option } from 'commander';
import { secretForms } from '../detect/secret-forms.ts';
import type { SignatureEncoding } from '../signature/encoding.ts';
import type { Signature } from '../signature/plain.ts';
import type { Secret } from '../signature/secret.ts';
import type { SignOptions } from '../signature/sign.ts';
import { standardWebhooks } from '../signature/standard-webhooks.ts';
import { timestamped } from '../signature/timestamped.ts';

/** The parts of the process that commands use, so tests can replace them. */
export interface Io {
  /** The environment variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Writes one line to standard output. Commands may print untrusted text, because `run` escapes it. */
  readonly print: (line: string) => void;
  /** Reads all of standard input. */
  readonly stdin: () => Promise<Uint8Array>;
  /** Resolves when the user asks to stop. */
  readonly stopped: () => Promise<void>;
}

/** The environment variable with the secret. Unlike a flag, it does not appear in process lists. */
export const SECRET_VARIABLE = 'CONFAB_WEBHOOK_SECRET';

/** Headers in the order and spelling in which they arrived. */
export type HeaderLines = readonly (readonly [name: string, value: string])[];

/** The flags of every scheme. A flag that does not apply would be ignored, so it is refused. */
const SCHEME_FLAGS = {
  plain: ['header', 'encoding', 'prefix', 'timestampHeader', 'separator', 'tolerance', 'timestamp'],
  'standard-webhooks': ['headerPrefix', 'tolerance', 'timestamp', 'id'],
  timestamped: [
    ...['header', 'encoding', 'separator', 'tolerance', 'timestamp'],
    ...['timestampField', 'signatureField', 'delimiter'],
  ],
};

/** The flags of all commands, as commander returns them. */
export interface Flags {
  readonly scheme?: keyof typeof SCHEME_FLAGS;
  readonly header?: string;
  readonly encoding?: SignatureEncoding | 'auto';
  readonly prefix?: string;
  readonly timestampHeader?: string;
  readonly separator?: string;
  readonly tolerance?: number;
  readonly headerPrefix?: string;
  readonly timestampField?: string;
  readonly signatureField?: string;
  readonly delimiter?: string;
  readonly timestamp?: number;
  readonly id?: string;
  readonly secret?: string;
  readonly secretEncoding?: 'text' | 'base64' | 'hex';
  readonly H?: HeaderLines;
  readonly to: URL;
  readonly data?: string;
  readonly timeout?: number;
  readonly port: number;
  readonly host: string;
  readonly forwardTo?: URL;
  readonly record?: string;
}

const isSet = (flags: Flags, option: Option): boolean =>
  flags[option.attributeName() as keyof Flags] !== undefined;

/** Creates a flag that is a number. */
const numberOption = (
  flags: string,
  description: string,
  what: string,
  isValid: (value: number) => boolean,
): Option =>
  new Option(flags, description).argParser((text) => {
    const value = text.trim() === '' ? Number.NaN : Number(text);
    if (!isValid(value)) {
      throw new InvalidArgumentError(`It must be ${what}.`);
    }
    return value;
  });

/** Creates a flag that is the URL of a receiver. */
const urlOption = (flags: string, description: string): Option =>
  new Option(flags, description).argParser((text) => {
    const url = URL.parse(text);
    if (url === null || !/^https?:$/.test(url.protocol)) {
      throw new InvalidArgumentError('It must be an http or https URL.');
    }
    return url;
  });

/** A timer cannot wait longer. */
const MAX_SECONDS = 2_147_483;

/** The maximum wait for a response. */
export const TIMEOUT = numberOption(
  '--timeout <seconds>',
  'maximum wait for a response (default: 30)',
  `a positive number of seconds up to ${MAX_SECONDS}`,
  (value) => value > 0 && value <= MAX_SECONDS,
);

/** The secret. */
export const SECRET = new Option(
  '--secret <secret>',
  `the secret; ${SECRET_VARIABLE} keeps it out of process lists`,
);

/** What describes the signature. */
const SIGNATURE = [
  new Option('--scheme <name>', 'default: plain; timestamped is Stripe’s t=…,v1=…').choices(
    Object.keys(SCHEME_FLAGS),
  ),
  new Option('--header <name>', 'header with the signature; not for standard-webhooks'),
  new Option('--encoding <name>', 'default: auto; for timestamped, hex').choices([
    ...['auto', 'hex', 'base64', 'base64url'],
  ]),
  new Option('--prefix <text>', 'plain: text before the signature, such as sha256='),
  new Option('--timestamp-header <name>', 'plain: header with the Unix time that is signed with the body'),
  new Option(
    '--separator <text>',
    'text between timestamp and body (default: "."); not for standard-webhooks',
  ),
  numberOption(
    '--tolerance <seconds>',
    'maximum distance of the timestamp from now (default: 300)',
    'a positive number of seconds',
    (value) => value > 0 && Number.isFinite(value),
  ),
  new Option('--header-prefix <text>', 'standard-webhooks: start of the header names (default: webhook)'),
  new Option('--timestamp-field <name>', 'timestamped: field with the Unix time (default: t)'),
  new Option('--signature-field <name>', 'timestamped: field with a signature (default: v1)'),
  new Option('--delimiter <text>', 'timestamped: text between two fields (default: ",")'),
];

/** What describes the signature, and the secret. */
export const VERIFYING = [
  ...SIGNATURE,
  SECRET,
  new Option(
    '--secret-encoding <name>',
    'decodes the secret (default: text; for standard-webhooks, base64)',
  ).choices(['text', 'base64', 'hex']),
];

/** What a signature covers in addition to the body. */
const SIGNED = [
  numberOption(
    '--timestamp <seconds>',
    'Unix time to sign, if the scheme signs one (default: now)',
    'a Unix time in seconds, an integer',
    (value) => Number.isSafeInteger(value) && value >= 0,
  ),
  new Option('--id <id>', 'standard-webhooks: id of the delivery (default: random)'),
];

/** What is needed to sign a body. */
export const SIGNING = [...SIGNED, ...VERIFYING];

/** The headers of a captured delivery, in the form of curl: `-H "name: value"`. */
export const CAPTURED = new Option(
  '-H <name: value>',
  'header of the delivery; repeat it for each header',
).argParser((line, before: HeaderLines = []): HeaderLines => {
  const [, name, value] = /^([^:\s]+):\s*(.*?)\s*$/.exec(line) ?? [];
  if (name === undefined || value === undefined) {
    throw new InvalidArgumentError('It must be "name: value".');
  }
  return [...before, [name, value]];
});

/** Where `send` delivers. */
export const TO = urlOption('--to <url>', 'URL of the receiver').makeOptionMandatory();

/** Where `replay` delivers. */
export const REPLAY_TO = urlOption('--to <url>', 'URL of the receiver').default(
  new URL('http://localhost:3000'),
  'http://localhost:3000',
);

/** What `listen` does with deliveries, and where. */
export const LISTENING = [
  numberOption(
    '--port <number>',
    'port to listen on; 0 for a free one',
    'an integer from 0 to 65535',
    (port) => Number.isInteger(port) && port >= 0 && port <= 65_535,
  ).default(3000),
  new Option('--host <address>', 'address to listen on').default('127.0.0.1'),
  urlOption('--forward-to <url>', 'sends each delivery to your app, which then responds to the sender'),
  new Option('--record <file>', 'adds each delivery to a file, one per line, for "replay"'),
];

/** Whether a flag describes the signature. */
export const describesSignature = (flags: Flags): boolean => SIGNATURE.some((option) => isSet(flags, option));

/** Refuses flags that do not apply to the scheme. */
const checkScheme = (flags: Flags, scheme: keyof typeof SCHEME_FLAGS): void => {
  for (const option of [...SIGNATURE, ...SIGNED].filter((one) => isSet(flags, one))) {
    const name = option.attributeName();
    const schemes = Object.entries(SCHEME_FLAGS).flatMap(([other, names]) =>
      names.includes(name) ? [other] : [],
    );
    if (name !== 'scheme' && !schemes.includes(scheme)) {
      throw new UsageError(
        `${option.long} does not apply to --scheme ${scheme}, only to ${schemes.join(' and ')}.`,
      );
    }
    const isOfTimestamp = ['separator', 'tolerance', 'timestamp'].includes(name);
    if (scheme === 'plain' && isOfTimestamp && flags.timestampHeader === undefined) {
      throw new UsageError(`${option.long} needs --timestamp-header, the header of a signed timestamp.`);
    }
  }
};

/**
 * Converts flags to the `signature` option. Their values are validated by the receiver.
 *
 * @throws {@link UsageError} When `--header` is missing, or a flag belongs to another scheme.
 */
export const signatureFrom = (flags: Flags): Signature => {
  const { scheme = 'plain', header, tolerance: toleranceSeconds, separator, encoding } = flags;
  checkScheme(flags, scheme);
  if (scheme === 'standard-webhooks') {
    return standardWebhooks({ headerPrefix: flags.headerPrefix, toleranceSeconds });
  }
  if (header === undefined) {
    throw new UsageError(
      'No --header. Pass the name of the header with the signature; "detect" finds it in a captured delivery.',
    );
  }
  if (scheme === 'timestamped') {
    const { timestampField, signatureField, delimiter } = flags;
    const options = { header, separator, timestampField, signatureField, delimiter, toleranceSeconds };
    return timestamped({ ...options, encoding: encoding as SignatureEncoding | undefined });
  }
  const timestamp = flags.timestampHeader && { header: flags.timestampHeader, separator, toleranceSeconds };
  return { header, encoding, prefix: flags.prefix, timestamp: timestamp || undefined };
};

/** The error message does not contain the secret, because it ends up in logs. */
const decodeSecret = (secret: string, encoding: 'text' | 'base64' | 'hex'): Secret => {
  if (encoding === 'base64' && secret.startsWith('whsec_')) {
    // The prefix consists of digits of base64url, so it would be decoded as well.
    throw new UsageError('The secret starts with whsec_, which is not base64. Remove the prefix.');
  }
  const bytes = secretForms(secret).get(encoding === 'text' ? 'as given' : encoding);
  if (bytes === undefined) {
    throw new UsageError(`The secret is not ${encoding}. Check it, or change --secret-encoding.`);
  }
  return bytes;
};

/**
 * Reads the secret from its flag or the environment.
 *
 * @throws {@link UsageError} When both are missing, or the secret does not have the given encoding.
 */
export const secretFrom = ({ secret: given, secretEncoding }: Flags, { env }: Io): Secret => {
  const secret = given ?? env[SECRET_VARIABLE];
  if (secret === undefined) {
    throw new UsageError(`No secret. Set ${SECRET_VARIABLE}, or pass --secret.`);
  }
  return secretEncoding === undefined ? secret : decodeSecret(secret, secretEncoding);
};

/**
 * Converts flags to the options of `sign`.
 *
 * @throws {@link UsageError} When a flag is missing, or belongs to another scheme.
 */
export const signOptionsFrom = (flags: Flags, io: Io): SignOptions => ({
  signature: signatureFrom(flags),
  secret: secretFrom(flags, io),
  timestamp: flags.timestamp,
  id: flags.id,
});

/**
 * Reads the body from a file, or from standard input if the path is "-" or missing.
 *
 * @throws {@link UsageError} When the file is unreadable.
 */
export const bodyFrom = async (path: string | undefined, io: Io): Promise<Uint8Array> => {
  if (path === undefined || path === '-') {
    return io.stdin();
  }
  try {
    return await readFile(path);
  } catch (error) {
    throw new UsageError(`Cannot read ${path}: ${error instanceof Error ? error.message : error}`);
  }
};
