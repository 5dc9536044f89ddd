import { readFile } from 'node:fs/promises';
import { integerFlag, UsageError } from '@confab/internal/cli';
import { InvalidArgumentError, Option } from 'commander';
import { decodeSecret } from '../detect/secret-forms.ts';
import { isJsonObject } from '../event.ts';
import type { Header } from '../headers.ts';
import type { Signature, SignatureOptions } from '../signature/scheme.ts';
import type { Secret } from '../signature/secret.ts';
import { toSecretBytes } from '../signature/secret.ts';
import type { SignOptions } from '../signature/sign.ts';
import type { StandardWebhooksOptions } from '../signature/standard-webhooks.ts';
import { standardWebhooks } from '../signature/standard-webhooks.ts';
import type { TimestampedOptions } from '../signature/timestamped.ts';
import { timestamped } from '../signature/timestamped.ts';
import { describeError } from './describe.ts';

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

/** The flags of all commands, as commander returns them. */
export interface Flags {
  readonly scheme?: 'plain' | 'standard-webhooks' | 'timestamped';
  readonly header?: string;
  readonly options?: object;
  readonly secret?: string;
  readonly secretEncoding?: 'text' | 'base64' | 'hex';
  readonly H?: readonly Header[];
  readonly data?: string;
  readonly forwardTo?: URL;
  readonly record?: string;
}

/** The flags of `send` and `replay`. */
export interface DeliveryFlags extends Flags {
  readonly to: URL;
  readonly timeout: number;
}

/** The flags of `listen`. */
export interface ListenFlags extends Flags {
  readonly timeout: number;
  readonly port: number;
  readonly host: string;
}

const parseUrl =
  (flag: string) =>
  (text: string): URL => {
    const url = URL.parse(text);
    if (url?.username || url?.password || (url === null && text.includes('@'))) {
      // An InvalidArgumentError would make commander print the value, and with it a password.
      throw new UsageError(`${flag} must be an http or https URL without a user name and password.`);
    }
    if (url === null || !/^https?:$/.test(url.protocol)) {
      throw new InvalidArgumentError('It must be an http or https URL.');
    }
    return url;
  };

/** The longest delay of a timer on any platform. */
const MAX_SECONDS = 4_294_967;

const parseSeconds = (text: string): number => {
  const seconds = Number(text);
  if (!(seconds >= 0 && seconds <= MAX_SECONDS)) {
    throw new InvalidArgumentError(`It must be a number from 0 to ${MAX_SECONDS}.`);
  }
  return seconds;
};

const parseOptions = (text: string): object => {
  try {
    const options: unknown = JSON.parse(text);
    if (isJsonObject(options)) {
      return options;
    }
  } catch {
    // The text is not JSON.
  }
  throw new InvalidArgumentError('It must be a JSON object.');
};

/** The maximum time that a request waits for its response. */
export const TIMEOUT_OPTION = new Option('--timeout <seconds>', 'maximum wait for a response')
  .argParser(parseSeconds)
  .default(30);

/** The flags for the secret. */
export const SECRET_OPTIONS = [
  new Option('--secret <secret>', `secret; ${SECRET_VARIABLE} keeps it out of process lists`),
  new Option(
    '--secret-encoding <name>',
    'encoding of the secret (default: text; for standard-webhooks, base64)',
  ).choices(['text', 'base64', 'hex']),
];

/** The flags for the signature and its secret. */
export const SIGNATURE_OPTIONS = [
  new Option('--scheme <name>', 'default: plain; timestamped is Stripe’s t=…,v1=…').choices([
    'plain',
    'standard-webhooks',
    'timestamped',
  ]),
  new Option('--header <name>', 'header with the signature; not for standard-webhooks'),
  new Option(
    '--options <json>',
    'other options of the scheme, as createWebhooks takes them, such as {"prefix":"sha256="}',
  ).argParser(parseOptions),
  ...SECRET_OPTIONS,
];

/** A header of a captured delivery, as curl takes it: `-H "name: value"`. */
export const HEADER_OPTION = new Option('-H <name: value>', 'header of the delivery; repeatable').argParser(
  (line, before: readonly Header[] = []): readonly Header[] => {
    const [, name, value] = /^([^:\s]+):\s*(.*?)\s*$/.exec(line) ?? [];
    if (name === undefined || value === undefined) {
      throw new InvalidArgumentError('It must be "name: value".');
    }
    return [...before, [name, value]];
  },
);

/** The receiver that `send` and `replay` deliver to. */
export const TO_OPTION = new Option('--to <url>', 'URL of the receiver')
  .argParser(parseUrl('--to'))
  .default(new URL('http://localhost:3000'), 'http://localhost:3000');

/** The flags for `listen` alone. */
export const LISTEN_OPTIONS = [
  new Option('--port <number>', 'port to listen on; 0 for a free one')
    .argParser(integerFlag(0, 65_535))
    .default(3000),
  new Option('--host <address>', 'address to listen on').default('127.0.0.1'),
  new Option(
    '--forward-to <url>',
    'send each delivery to your app, which then responds to the sender',
  ).argParser(parseUrl('--forward-to')),
  new Option('--record <file>', 'add each delivery to a file, one per line, for "replay"'),
];

/** Whether a flag describes the signature. */
export const describesSignature = ({ scheme, header, options }: Flags): boolean =>
  (scheme ?? header ?? options) !== undefined;

/**
 * Converts flags to the `signature` option, whose values the receiver validates.
 *
 * @throws A {@link UsageError} when `--header` is missing.
 */
const resolveSignature = ({ scheme = 'plain', header, options }: Flags): Signature => {
  const all = { ...(header !== undefined && { header }), ...options };
  if (scheme === 'standard-webhooks') {
    return standardWebhooks(all as StandardWebhooksOptions);
  }
  if (!('header' in all)) {
    throw new UsageError(
      '--header is missing. Pass the name of the header with the signature; "detect" finds it in a captured delivery.',
    );
  }
  return scheme === 'timestamped' ? timestamped(all as TimestampedOptions) : (all as SignatureOptions);
};

/**
 * Reads the secret from its flag or the environment. Errors do not contain it, because they end up in logs.
 *
 * @throws A {@link UsageError} when both are missing, or the secret does not have the encoding of `--secret-encoding`.
 */
export const resolveSecret = ({ secret: flag, secretEncoding }: Flags, { env }: Io): Secret => {
  const secret = flag ?? env[SECRET_VARIABLE];
  if (secret === undefined) {
    throw new UsageError(`The secret is missing. Set ${SECRET_VARIABLE}, or pass --secret.`);
  }
  if (secretEncoding === undefined) {
    return secret;
  }
  // Explains what is wrong if the secret is empty or a placeholder.
  toSecretBytes(secret);
  if (secretEncoding === 'base64' && /^(?:v1,)?whsec_/.test(secret)) {
    // The prefix consists of digits of base64url, so it would be decoded as well.
    throw new UsageError('The secret starts with whsec_, which is not base64. Remove the prefix.');
  }
  const bytes = decodeSecret(secret).get(secretEncoding === 'text' ? 'UTF-8' : secretEncoding);
  if (bytes === undefined) {
    throw new UsageError(`The secret is not ${secretEncoding}. Check it, or change --secret-encoding.`);
  }
  return bytes;
};

/**
 * Converts flags to the options that `sign` and `createWebhooks` need.
 *
 * @throws A {@link UsageError} when a flag is missing.
 */
export const resolveSigning = (flags: Flags, io: Io): Pick<SignOptions, 'signature' | 'secret'> => ({
  signature: resolveSignature(flags),
  secret: resolveSecret(flags, io),
});

/** Reads a text as {@link readInput} does, without the byte order mark that some editors write. */
export const readTextInput = async (path: string, io: Io): Promise<string> =>
  new TextDecoder().decode(await readInput(path, io));

/**
 * Reads the body from a file, or from standard input if the path is "-" or missing.
 *
 * @throws A {@link UsageError} when the file is unreadable.
 */
export const readInput = async (path: string | undefined, io: Io): Promise<Uint8Array> => {
  if (path === undefined || path === '-') {
    return io.stdin();
  }
  try {
    return await readFile(path);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const problem = isMissing ? `${path} does not exist.` : `Cannot read ${path}: ${describeError(error)}`;
    throw new UsageError(problem);
  }
};
