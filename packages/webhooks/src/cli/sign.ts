import { parseArgs } from 'node:util';
import { sign as signBody } from '../signature/sign.ts';
import type { Command } from './command.ts';
import { bodyFrom, secretFlags, secretFrom, signatureFlags, signatureFrom } from './flags.ts';

/** Prints the headers that sign a body, a line each, as `curl -H @-` reads them. */
export const sign: Command = async (args, io) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { ...signatureFlags, ...secretFlags, timestamp: { type: 'string' } },
    allowPositionals: true,
  });
  const headers = await signBody(await bodyFrom(positionals, io), {
    secret: secretFrom(values, io),
    signature: signatureFrom(values),
    ...(values.timestamp !== undefined && { timestamp: Number(values.timestamp) }),
  });
  for (const [name, value] of Object.entries(headers)) io.print(`${name}: ${value}`);
  return 0;
};
