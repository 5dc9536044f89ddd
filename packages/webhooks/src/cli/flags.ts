import { readFile } from 'node:fs/promises';
import { UsageError } from '@confab/internal/cli';
import { InvalidArgumentError, Option } from 'commander';
import { secretForms } from '../detect/secret-forms.ts';
import type { Signature, SignatureOptions } from '../signature/scheme.ts';
import type { Secret } from '../signature/secret.ts';
import type { SignOptions } from '../signature/sign.ts';
import type { StandardWebhooksOptions } from '../signature/standard-webhooks.ts';
import { standardWebhooks } from '../signature/standard-webhooks.ts';
import type { TimestampedOptions } from '../signature/timestamped.ts';
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

/** The flags of all commands, as commander returns them. */
export interface Flags {
  readonly scheme?: 'plain' | 'standard-webhooks' | 'timestamped';
  readonly header?: string;
  readonly options?: object;
  readonly secret?: string;
  readonly secretEncoding?: 'text' | 'base64' | 'hex';
  readonly timestamp?: number;
  readonly id?: string;
  readonly H?: HeaderLines;
  readonly to: URL;
  readonly data?: string;
  readonly timeout?: number;
  readonly port: number;
  readonly host: string;
  readonly forwardTo?: URL;
  readonly record?: string;
}

/** Creates a flag whose text is parsed; `undefined` refuses it. */
const parsedOption = (
  flags: string,
  description: string,
  wanted: string,
  parse: (text: string) => unknown,
): Option =>
  new Option(flags, description).argParser((text) => {
    const value = parse(text);
    if (value === undefined) {
      throw new InvalidArgumentError(`It must be ${wanted}.`);
    }
    return value;
  });

const numberIn =
  (min: number, max: number) =>
  (text: string): number | undefined => {
    const value = Number(text);
    return text.trim() !== '' && value >= min && value <= max ? value : undefined;
  };

const integerIn =
  (min: number, max: number) =>
  (text: string): number | undefined =>
    Number.isInteger(Number(text)) ? numberIn(min, max)(text) : undefined;

const parseUrl = (text: string): URL | undefined => {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) ? url : undefined;
};

const parseObject = (text: string): object | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

const urlOption = (flags: string, description: string): Option =>
  parsedOption(flags, description, 'an http or https URL', parseUrl);

/** A timer cannot wait longer. */
const MAX_SECONDS = 2_147_483;

/** The maximum wait for a response. */
export const TIMEOUT = parsedOption(
  '--timeout <seconds>',
  'maximum wait for a response (default: 30)',
  `a number of seconds from 0.001 to ${MAX_SECONDS}`,
  numberIn(0.001, MAX_SECONDS),
);

/** What says how a secret is read. */
export const SECRET = [
  new Option('--secret <secret>', `the secret; ${SECRET_VARIABLE} keeps it out of process lists`),
  new Option(
    '--secret-encoding <name>',
    'decodes the secret (default: text; for standard-webhooks, base64)',
  ).choices(['text', 'base64', 'hex']),
];

/** What describes the signature. */
const SIGNATURE = [
  new Option('--scheme <name>', 'default: plain; timestamped is Stripe’s t=…,v1=…').choices([
    ...['plain', 'standard-webhooks', 'timestamped'],
  ]),
  new Option('--header <name>', 'header with the signature; not for standard-webhooks'),
  parsedOption(
    '--options <json>',
    'other options of the scheme, as createWebhooks takes them, such as {"prefix":"sha256="}',
    'a JSON object',
    parseObject,
  ),
];

/** What describes the signature, and the secret. */
export const VERIFYING = [...SIGNATURE, ...SECRET];

/** What is needed to sign a body. */
export const SIGNING = [
  ...VERIFYING,
  parsedOption(
    '--timestamp <seconds>',
    'Unix time to sign, if the scheme signs one (default: now)',
    'a Unix time in seconds, an integer',
    integerIn(0, Number.MAX_SAFE_INTEGER),
  ),
  new Option('--id <id>', 'standard-webhooks: id of the delivery (default: random)'),
];

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
  parsedOption(
    '--port <number>',
    'port to listen on; 0 for a free one',
    'an integer from 0 to 65535',
    integerIn(0, 65_535),
  ).default(3000),
  new Option('--host <address>', 'address to listen on').default('127.0.0.1'),
  urlOption('--forward-to <url>', 'sends each delivery to your app, which then responds to the sender'),
  new Option('--record <file>', 'adds each delivery to a file, one per line, for "replay"'),
];

/** Whether a flag describes the signature. */
export const describesSignature = ({ scheme, header, options }: Flags): boolean =>
  (scheme ?? header ?? options) !== undefined;

/**
 * Converts flags to the `signature` option. The receiver validates their values.
 *
 * @throws {@link UsageError} When `--header` is missing, or does not apply.
 */
export const signatureFrom = ({ scheme = 'plain', header, options }: Flags): Signature => {
  const all = { ...(header !== undefined && { header }), ...options };
  if (scheme === 'standard-webhooks') {
    return standardWebhooks(all as StandardWebhooksOptions);
  }
  if (!('header' in all)) {
    throw new UsageError(
      'No --header. Pass the name of the header with the signature; "detect" finds it in a captured delivery.',
    );
  }
  return scheme === 'timestamped' ? timestamped(all as TimestampedOptions) : (all as SignatureOptions);
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
 * @throws {@link UsageError} When a flag is missing, or the scheme does not sign what it sets.
 */
export const signOptionsFrom = (flags: Flags, io: Io): SignOptions => {
  const { timestamp, id } = flags;
  const signature = signatureFrom(flags);
  if (id !== undefined && flags.scheme !== 'standard-webhooks') {
    throw new UsageError('--id needs --scheme standard-webhooks, because other schemes sign no id.');
  }
  if (timestamp !== undefined && 'header' in signature && signature.timestamp === undefined) {
    throw new UsageError(
      '--timestamp needs a signed time, such as --options \'{"timestamp":{"header":"x-time"}}\'.',
    );
  }
  return { signature, secret: secretFrom(flags, io), timestamp, id };
};

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
