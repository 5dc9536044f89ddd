import { readFile } from 'node:fs/promises';
import type { ParseArgsConfig } from 'node:util';
import { UsageError } from '@confab/internal/cli';
import type { SignatureOptions } from '../signature/signature-options.ts';
import type { Io } from './command.ts';

/** The environment variable with the secret: unlike a flag, it shows in no list of processes. */
const SECRET_VARIABLE = 'CONFAB_WEBHOOK_SECRET';

/** Flags that say what a signature looks like. */
export const signatureFlags = {
  header: { type: 'string' },
  encoding: { type: 'string' },
  prefix: { type: 'string' },
  'timestamp-header': { type: 'string' },
  tolerance: { type: 'string' },
  separator: { type: 'string' },
} as const satisfies ParseArgsConfig['options'];

/** The secret: by preference not a flag. */
export const secretFlags = { secret: { type: 'string' } } as const satisfies ParseArgsConfig['options'];

/** Headers of a captured delivery, as curl takes them. */
export const headerFlags = {
  H: { type: 'string', short: 'H', multiple: true },
} as const satisfies ParseArgsConfig['options'];

type Values<Flags> = { readonly [Name in keyof Flags]?: string | undefined };

/** The signature options that the flags name; the receiver checks them. */
export const signatureFrom = (values: Values<typeof signatureFlags>): SignatureOptions => {
  const { header, encoding, prefix, separator, tolerance, 'timestamp-header': timestampHeader } = values;
  for (const flag of ['separator', 'tolerance'] as const) {
    if (values[flag] !== undefined && timestampHeader === undefined) {
      throw new UsageError(`--${flag} needs --timestamp-header: it is about a timestamp that is signed.`);
    }
  }
  if (header === undefined) {
    throw new UsageError(
      '--header NAME is needed: the header that carries the signature. "detect" finds it in a captured delivery.',
    );
  }
  return {
    header,
    ...(encoding !== undefined && { encoding: encoding as 'auto' }),
    ...(prefix !== undefined && { prefix }),
    ...(timestampHeader !== undefined && {
      timestamp: {
        header: timestampHeader,
        ...(separator !== undefined && { separator }),
        ...(tolerance !== undefined && { toleranceSeconds: Number(tolerance) }),
      },
    }),
  };
};

/** The secret from its flag or the environment. */
export const secretFrom = (values: Values<typeof secretFlags>, { env }: Io): string => {
  const secret = values.secret ?? env[SECRET_VARIABLE];
  if (secret === undefined) {
    throw new UsageError(`Set ${SECRET_VARIABLE}, or pass --secret.`);
  }
  return secret;
};

/** Captured headers as pairs: `-H "name: value"`. */
export const headersFrom = (lines: readonly string[] = []): [name: string, value: string][] =>
  lines.map((line) => {
    const [, name, value] = /^([^:\s]+):\s*(.*?)\s*$/.exec(line) ?? [];
    if (name === undefined || value === undefined) {
      throw new UsageError(`-H takes "name: value", not ${JSON.stringify(line)}.`);
    }
    return [name, value];
  });

/** The body: a file, or standard input for "-" or nothing. */
export const bodyFrom = async ([path = '-', ...more]: readonly string[], io: Io): Promise<Uint8Array> => {
  if (more.length > 0) {
    throw new UsageError(`One file is enough, not also ${more.join(', ')}.`);
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
