import { asksFor, didYouMean, packageVersion, printable, UsageError } from '@confab/internal/cli';
import { WebhookConfigurationError } from '../errors.ts';
import type { Command, ExitCode, Io } from './command.ts';
import { detect } from './detect.ts';
import { COMMAND_HELP, USAGE } from './help.ts';
import { listen } from './listen.ts';
import { replay } from './replay.ts';
import { send } from './send.ts';
import { sign } from './sign.ts';
import { verify } from './verify.ts';

const COMMANDS: Record<keyof typeof COMMAND_HELP, Command> = {
  sign,
  verify,
  detect,
  listen,
  send,
  replay,
};

const isCommand = (name: string | undefined): name is keyof typeof COMMANDS =>
  name !== undefined && Object.hasOwn(COMMANDS, name);

const withoutCommand = (name: string | undefined): UsageError => {
  if (name === undefined) {
    return new UsageError('No command. Use sign, verify, detect, listen, send or replay. See --help.');
  }
  if (name.startsWith('-')) {
    const known = ['help', 'version'];
    return new UsageError(
      `Unknown flag ${name} before the command. ${didYouMean(name.replace(/^-+/, ''), known, '--')}See --help.`,
    );
  }
  return new UsageError(`Unknown command "${name}". ${didYouMean(name, Object.keys(COMMANDS))}See --help.`);
};

/** Runs a command line and resolves to the exit code. */
export const run = async (
  args: readonly string[],
  io: Io,
  warn: (line: string) => void,
): Promise<ExitCode> => {
  const [first, ...rest] = args;
  const asked = first === 'help' ? rest[0] : first;
  if (first === 'help' || asksFor('help', args)) {
    if (isCommand(asked)) {
      io.print(COMMAND_HELP[asked]);
      return 0;
    }
    if (asked === undefined || asked === 'help' || asked.startsWith('-')) {
      io.print(USAGE);
      return 0;
    }
    warn(`confab-webhooks: ${withoutCommand(asked).message}`);
    return 2;
  }
  if (asksFor('version', args)) {
    io.print(packageVersion(import.meta.url));
    return 0;
  }
  try {
    if (!isCommand(first)) {
      throw withoutCommand(first);
    }
    return await COMMANDS[first](rest, { ...io, print: (line) => io.print(printable(line)) });
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof WebhookConfigurationError)) {
      throw error;
    }
    // A UsageError is printable already; the message of an invalid option repeats its value.
    warn(`confab-webhooks: ${printable(error.message)}`);
    return 2;
  }
};
