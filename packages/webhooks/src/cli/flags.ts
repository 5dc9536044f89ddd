import { readFile } from 'node:fs/promises';
import type { ParseArgsConfig } from 'node:util';
import { didYouMean, UsageError } from '@confab/internal/cli';
import { secretForms } from '../detect/secret-forms.ts';
import type { Secret } from '../signature/secret.ts';
import type { Io } from './command.ts';

/** The environment variable with the secret. Unlike a flag, it does not appear in process lists. */
const SECRET_VARIABLE = 'CONFAB_WEBHOOK_SECRET';

/** Flags that describe the signature. */
export const signatureFlags = {
  scheme: { type: 'string' },
  header: { type: 'string' },
  encoding: { type: 'string' },
  prefix: { type: 'string' },
  'timestamp-header': { type: 'string' },
  tolerance: { type: 'string' },
  separator: { type: 'string' },
  'header-prefix': { type: 'string' },
  'timestamp-field': { type: 'string' },
  'signature-field': { type: 'string' },
  delimiter: { type: 'string' },
} as const satisfies ParseArgsConfig['options'];

/** Flags for the secret. The environment variable is safer than `--secret`. */
export const secretFlags = {
  secret: { type: 'string' },
  'secret-encoding': { type: 'string' },
} as const satisfies ParseArgsConfig['options'];

/** Headers of a captured delivery, in the form of curl. */
export const headerFlags = {
  H: { type: 'string', short: 'H', multiple: true },
} as const satisfies ParseArgsConfig['options'];

/** The values of flags, all of them optional texts. */
export type Values<Flags> = { readonly [Name in keyof Flags]?: string | undefined };

/** The encodings of secrets. Their names are flags' values. */
const ENCODINGS = ['text', 'base64', 'hex'] as const;

/** The error message does not contain the secret, because it ends up in logs. */
const decodeSecret = (secret: string, encoding: string): Secret => {
  const known = ENCODINGS.find((name) => name === encoding);
  if (known === undefined) {
    throw new UsageError(
      `Unknown --secret-encoding "${encoding}". ${didYouMean(encoding, ENCODINGS)}Use text, base64 or hex.`,
    );
  }
  if (known === 'base64' && secret.startsWith('whsec_')) {
    // The prefix consists of digits of base64url, so it would be decoded as well.
    throw new UsageError('The secret starts with whsec_, which is not base64. Remove the prefix.');
  }
  const forms = secretForms(secret);
  const bytes = forms.get(known === 'text' ? 'as given' : known);
  if (bytes === undefined) {
    throw new UsageError(`The secret is not ${known}. Check it, or change --secret-encoding.`);
  }
  return bytes;
};

/**
 * Reads the secret from its flag or the environment.
 *
 * @throws {@link UsageError} When both are missing, or the secret does not have the given encoding.
 */
export const secretFrom = (values: Values<typeof secretFlags>, { env }: Io): Secret => {
  const secret = values.secret ?? env[SECRET_VARIABLE];
  if (secret === undefined) {
    throw new UsageError(`No secret. Set ${SECRET_VARIABLE}, or pass --secret.`);
  }
  const encoding = values['secret-encoding'];
  return encoding === undefined ? secret : decodeSecret(secret, encoding);
};

/**
 * Parses captured headers, such as `-H "name: value"`.
 *
 * @throws {@link UsageError} When one has another form.
 */
export const headersFrom = (lines: readonly string[] = []): [name: string, value: string][] =>
  lines.map((line) => {
    const [, name, value] = /^([^:\s]+):\s*(.*?)\s*$/.exec(line) ?? [];
    if (name === undefined || value === undefined) {
      throw new UsageError(`-H must be "name: value", got ${JSON.stringify(line)}.`);
    }
    return [name, value];
  });

/**
 * Reads the body from a file, or from standard input if the path is "-" or missing.
 *
 * @throws {@link UsageError} When the file is unreadable, or there are several.
 */
export const bodyFrom = async ([path = '-', ...more]: readonly string[], io: Io): Promise<Uint8Array> => {
  if (more.length > 0) {
    throw new UsageError(`Expected one file, got ${more.length + 1}.`);
  }
  if (path === '-') {
    return io.stdin();
  }
  try {
    return await readFile(path);
  } catch (error) {
    throw new UsageError(`Cannot read ${path}: ${error instanceof Error ? error.message : error}`);
  }
};
