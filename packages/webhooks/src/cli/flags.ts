import { readFile } from 'node:fs/promises';
import { UsageError } from '@confab/internal/cli';
import type { Command } from 'commander';
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

/** Flags that describe the signature. */
interface SignatureFlags {
  readonly scheme?: 'plain' | 'standard-webhooks' | 'timestamped' | undefined;
  readonly header?: string | undefined;
  readonly encoding?: SignatureEncoding | 'auto' | undefined;
  readonly prefix?: string | undefined;
  readonly timestampHeader?: string | undefined;
  readonly separator?: string | undefined;
  readonly tolerance?: number | undefined;
  readonly headerPrefix?: string | undefined;
  readonly timestampField?: string | undefined;
  readonly signatureField?: string | undefined;
  readonly delimiter?: string | undefined;
}

/** All flags that several commands have. */
export interface Flags extends SignatureFlags {
  readonly secret?: string | undefined;
  readonly secretEncoding?: 'text' | 'base64' | 'hex' | undefined;
  readonly timestamp?: number | undefined;
  readonly id?: string | undefined;
}

/** Parses a flag that is a number. */
export const numberFrom =
  (what: string, isValid: (value: number) => boolean) =>
  (text: string): number => {
    const value = text.trim() === '' ? Number.NaN : Number(text);
    if (!isValid(value)) {
      throw new InvalidArgumentError(`It must be ${what}.`);
    }
    return value;
  };

/** A timer cannot wait longer. */
const MAX_SECONDS = 2_147_483;

/** The flag of commands that wait for a response. */
export const timeoutOption = (): Option =>
  new Option('--timeout <seconds>', 'maximum wait for a response (default: 30)').argParser(
    numberFrom(
      `a positive number of seconds up to ${MAX_SECONDS}`,
      (value) => value > 0 && value <= MAX_SECONDS,
    ),
  );

/** Adds the flag of the secret. */
export const addSecretFlag = (command: Command): Command =>
  command.option('--secret <secret>', `the secret; ${SECRET_VARIABLE} keeps it out of process lists`);

const signatureOptions = (): Option[] => [
  new Option('--scheme <name>', 'default: plain; timestamped is Stripe’s t=…,v1=…').choices([
    'plain',
    'standard-webhooks',
    'timestamped',
  ]),
  new Option('--header <name>', 'header with the signature; not for standard-webhooks'),
  new Option('--encoding <name>', 'default: auto; for timestamped, hex').choices([
    'auto',
    'hex',
    'base64',
    'base64url',
  ]),
  new Option('--prefix <text>', 'plain: text before the signature, such as sha256='),
  new Option('--timestamp-header <name>', 'plain: header with the Unix time that is signed with the body'),
  new Option(
    '--separator <text>',
    'text between timestamp and body (default: "."); not for standard-webhooks',
  ),
  new Option('--tolerance <seconds>', 'maximum distance of the timestamp from now (default: 300)').argParser(
    numberFrom('a positive number of seconds', (value) => value > 0 && Number.isFinite(value)),
  ),
  new Option('--header-prefix <text>', 'standard-webhooks: start of the header names (default: webhook)'),
  new Option('--timestamp-field <name>', 'timestamped: field with the Unix time (default: t)'),
  new Option('--signature-field <name>', 'timestamped: field with a signature (default: v1)'),
  new Option('--delimiter <text>', 'timestamped: text between two fields (default: ",")'),
];

/** Adds the flags that describe the signature, and those of the secret. */
export const addSignatureFlags = (command: Command): Command => {
  for (const option of signatureOptions()) {
    command.addOption(option);
  }
  return addSecretFlag(command).addOption(
    new Option(
      '--secret-encoding <name>',
      'decodes the secret (default: text; for standard-webhooks, base64)',
    ).choices(['text', 'base64', 'hex']),
  );
};

/** Adds the flags of what a signature covers in addition to the body. */
export const addSignedFlags = (command: Command): Command =>
  command
    .addOption(
      new Option(
        '--timestamp <seconds>',
        'Unix time to sign, if the scheme signs one (default: now)',
      ).argParser(
        numberFrom('a Unix time in whole seconds', (value) => Number.isSafeInteger(value) && value >= 0),
      ),
    )
    .option('--id <id>', 'standard-webhooks: id of the delivery (default: random)');

/** Whether a flag describes the signature. */
export const describesSignature = (flags: Flags): boolean =>
  signatureOptions().some((option) => flags[option.attributeName() as keyof Flags] !== undefined);

/** The flags of each scheme. Others would be ignored, so they are refused. */
const SCHEME_FLAGS: Readonly<Record<NonNullable<SignatureFlags['scheme']>, readonly string[]>> = {
  plain: ['header', 'encoding', 'prefix', 'timestampHeader', 'separator', 'tolerance'],
  'standard-webhooks': ['headerPrefix', 'tolerance'],
  timestamped: [
    ...['header', 'encoding', 'separator', 'tolerance', 'timestampField', 'signatureField', 'delimiter'],
  ],
};

/**
 * Converts flags to the `signature` option. Their values are validated by the receiver.
 *
 * @throws {@link UsageError} When `--header` is missing, or a flag belongs to another scheme.
 */
export const signatureFrom = (flags: Flags): Signature => {
  const { scheme = 'plain', header, tolerance: toleranceSeconds, separator } = flags;
  for (const option of signatureOptions()) {
    const name = option.attributeName();
    if (flags[name as keyof Flags] !== undefined && ![...SCHEME_FLAGS[scheme], 'scheme'].includes(name)) {
      throw new UsageError(`${option.long} does not apply to --scheme ${scheme}. See --help.`);
    }
  }
  if (scheme === 'standard-webhooks') {
    return standardWebhooks({ headerPrefix: flags.headerPrefix, toleranceSeconds });
  }
  if (header === undefined) {
    throw new UsageError(
      'No --header. Pass the name of the header with the signature; "detect" finds it in a captured delivery.',
    );
  }
  const { encoding, timestampHeader } = flags;
  if (scheme === 'timestamped') {
    const { timestampField, signatureField, delimiter } = flags;
    const options = { header, separator, timestampField, signatureField, delimiter, toleranceSeconds };
    return timestamped({ ...options, encoding: encoding as SignatureEncoding | undefined });
  }
  if (timestampHeader === undefined && (separator !== undefined || toleranceSeconds !== undefined)) {
    throw new UsageError(
      '--separator and --tolerance need --timestamp-header, the header of a signed timestamp.',
    );
  }
  const timestamp =
    timestampHeader === undefined ? undefined : { header: timestampHeader, separator, toleranceSeconds };
  return { header, encoding, prefix: flags.prefix, timestamp };
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
export const signOptionsFrom = (flags: Flags, io: Io): SignOptions => {
  const { scheme = 'plain', timestamp, id } = flags;
  const signature = signatureFrom(flags);
  if (scheme === 'plain' && timestamp !== undefined && flags.timestampHeader === undefined) {
    throw new UsageError('--timestamp needs --timestamp-header, the name of its header.');
  }
  if (scheme !== 'standard-webhooks' && id !== undefined) {
    throw new UsageError('--id needs --scheme standard-webhooks, because other schemes sign no id.');
  }
  return { secret: secretFrom(flags, io), signature, timestamp, id };
};

/** Parses one more header of a delivery, in the form of curl: `-H "name: value"`. */
export const headerFrom = (line: string, before: [name: string, value: string][] = []) => {
  const [, name, value] = /^([^:\s]+):\s*(.*?)\s*$/.exec(line) ?? [];
  if (name === undefined || value === undefined) {
    throw new InvalidArgumentError('It must be "name: value".');
  }
  return [...before, [name, value] as [string, string]];
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
