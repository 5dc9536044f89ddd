import { parseFlags, UsageError } from '@confab/internal/cli';
import { sign as signBody } from '../signature/sign.ts';
import type { Command } from './command.ts';
import { bodyFrom, secretFlags, secretFrom, signatureFlags } from './flags.ts';
import { signatureFrom } from './signature-from.ts';

/** Prints the headers that sign a body, one per line, in the form that `curl -H @-` reads. */
export const sign: Command = async (args, io) => {
  const { values, positionals } = parseFlags(args, {
    options: { ...signatureFlags, ...secretFlags, timestamp: { type: 'string' }, id: { type: 'string' } },
    allowPositionals: true,
  });
  const { scheme = 'plain', id } = values;
  if (scheme === 'plain' && values.timestamp !== undefined && values['timestamp-header'] === undefined) {
    throw new UsageError('--timestamp needs --timestamp-header, the name of its header.');
  }
  if (scheme !== 'standard-webhooks' && id !== undefined) {
    throw new UsageError('--id needs --scheme standard-webhooks, because other schemes sign no id.');
  }
  // Checked before the body is read, because a terminal would wait for input.
  const secret = secretFrom(values, io);
  const signature = signatureFrom(values);
  if (values.timestamp !== undefined && !/^\d{1,15}$/.test(values.timestamp)) {
    throw new UsageError(
      `--timestamp must be a Unix time in whole seconds, got ${JSON.stringify(values.timestamp)}.`,
    );
  }
  const timestamp = values.timestamp === undefined ? undefined : Number(values.timestamp);
  const headers = await signBody(await bodyFrom(positionals, io), { secret, signature, timestamp, id });
  for (const [name, value] of Object.entries(headers)) {
    io.print(`${name}: ${value}`);
  }
  return 0;
};
