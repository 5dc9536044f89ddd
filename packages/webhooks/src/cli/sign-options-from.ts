import type { ParseArgsConfig } from 'node:util';
import { UsageError } from '@confab/internal/cli';
import type { SignOptions } from '../signature/sign.ts';
import type { Io } from './command.ts';
import type { Values } from './flags.ts';
import { secretFlags, secretFrom, signatureFlags } from './flags.ts';
import { signatureFrom } from './signature-from.ts';

/** Flags of commands that sign. */
export const signFlags = {
  ...signatureFlags,
  ...secretFlags,
  timestamp: { type: 'string' },
  id: { type: 'string' },
} as const satisfies ParseArgsConfig['options'];

/**
 * Converts flags to the options of `sign`. The secret is asked for last, when everything else is right.
 *
 * @throws {@link UsageError} When a flag is missing, invalid, or belongs to another scheme.
 */
export const signOptionsFrom = (values: Values<typeof signFlags>, io: Io): SignOptions => {
  const { scheme = 'plain', id, timestamp } = values;
  if (scheme === 'plain' && timestamp !== undefined && values['timestamp-header'] === undefined) {
    throw new UsageError('--timestamp needs --timestamp-header, the name of its header.');
  }
  if (scheme !== 'standard-webhooks' && id !== undefined) {
    throw new UsageError('--id needs --scheme standard-webhooks, because other schemes sign no id.');
  }
  const signature = signatureFrom(values);
  if (timestamp !== undefined && !/^\d{1,15}$/.test(timestamp)) {
    throw new UsageError(
      `--timestamp must be a Unix time in whole seconds, got ${JSON.stringify(timestamp)}.`,
    );
  }
  return {
    secret: secretFrom(values, io),
    signature,
    timestamp: timestamp === undefined ? undefined : Number(timestamp),
    id,
  };
};
