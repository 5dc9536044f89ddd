import { parseFlags, UsageError } from '@confab/internal/cli';
import { sign as signBody } from '../signature/sign.ts';
import type { Command } from './command.ts';
import { bodyFrom, secretFlags, secretFrom, signatureFlags, signatureFrom } from './flags.ts';

/** Prints the headers that sign a body, one per line, in the form that `curl -H @-` reads. */
export const sign: Command = async (args, io) => {
  const { values, positionals } = parseFlags(args, {
    options: { ...signatureFlags, ...secretFlags, timestamp: { type: 'string' } },
    allowPositionals: true,
  });
  if (values.timestamp !== undefined && values['timestamp-header'] === undefined) {
    throw new UsageError('--timestamp needs --timestamp-header, the name of its header.');
  }
  // Checked before the body is read, because a terminal would wait for input.
  const secret = secretFrom(values, io);
  const signature = signatureFrom(values);
  const timestamp = values.timestamp === undefined ? undefined : Number(values.timestamp);
  const headers = await signBody(await bodyFrom(positionals, io), { secret, signature, timestamp });
  for (const [name, value] of Object.entries(headers)) {
    io.print(`${name}: ${value}`);
  }
  return 0;
};
