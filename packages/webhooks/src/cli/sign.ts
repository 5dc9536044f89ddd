import { parseFlags } from '@confab/internal/cli';
import { sign as signBody } from '../signature/sign.ts';
import type { Command } from './command.ts';
import { bodyFrom } from './flags.ts';
import { signFlags, signOptionsFrom } from './sign-options-from.ts';

/** Prints the headers that sign a body, one per line, in the form that `curl -H @-` reads. */
export const sign: Command = async (args, io) => {
  const { values, positionals } = parseFlags(args, { options: signFlags, allowPositionals: true });
  // Checked before the body is read, because a terminal would wait for input.
  const options = signOptionsFrom(values, io);
  const headers = await signBody(await bodyFrom(positionals, io), options);
  for (const [name, value] of Object.entries(headers)) {
    io.print(`${name}: ${value}`);
  }
  return 0;
};
