import { packageVersion, printable, UsageError } from '@confab/internal/cli';
import { Command, CommanderError } from 'commander';
import { WebhookConfigurationError } from '../errors.ts';
import type { ExitCode } from './commands.ts';
import { COMMANDS } from './commands.ts';
import type { Flags, Io } from './flags.ts';
import { SECRET_VARIABLE } from './flags.ts';

const NOTES = `
The secret comes from ${SECRET_VARIABLE} or --secret.
Exit code: 0 success, 1 refused, not found or no response, 2 incorrect usage.`;

/** The value after an unknown flag may be a secret. */
const usageMessage = ({ message }: CommanderError): string =>
  message.replace(/^error: /, '').replace(/^(unknown option '[^=']*)=.*'/s, "$1'");

/** Refuses a flag whose value was forgotten, because commander would take the next flag for it. */
const checkValues = (args: readonly string[]): void => {
  const at = args.findIndex(
    (arg, index) => /^--(?!help$|version$)[\w-]+$|^-H$/.test(arg) && /^--\w/.test(args[index + 1] ?? ''),
  );
  if (at >= 0) {
    throw new UsageError(`${args[at]} needs a value. If it starts with a dash, write ${args[at]}=VALUE.`);
  }
};

/** Parses a command line and runs its command. Commander throws instead of ending the process. */
const runCommand = async (args: readonly string[], io: Io): Promise<ExitCode> => {
  let code: ExitCode = 0;
  const escaping = { ...io, print: (line: string) => io.print(printable(line)) };
  const program = new Command('confab-webhooks')
    .description('Signs, verifies and receives webhook deliveries.')
    .version(packageVersion(import.meta.url), '-v, --version', 'print the version')
    // The error is thrown too.
    .configureOutput({
      writeOut: (text) => io.print(text.trimEnd()),
      outputError: () => {},
      writeErr: () => {},
    })
    .exitOverride()
    .addHelpText('after', NOTES);
  for (const { usage, description, example, options, run } of COMMANDS) {
    const command = program.command(usage).description(description);
    command.addHelpText('after', `${NOTES}\n\nExample:\n  confab-webhooks ${example}`);
    for (const option of options) {
      command.addOption(option);
    }
    command.action(async () => {
      code = await run(command.opts<Flags>(), escaping, command.args[0]);
    });
  }
  if (args.length === 0) {
    throw new UsageError('No command. Use sign, verify, detect, listen, send or replay. See --help.');
  }
  checkValues(args);
  await program.parseAsync(args, { from: 'user' });
  return code;
};

/** Runs a command line and resolves to the exit code. */
export const run = async (
  args: readonly string[],
  io: Io,
  warn: (line: string) => void,
): Promise<ExitCode> => {
  try {
    return await runCommand(args, io);
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) {
        return 0;
      }
      warn(`confab-webhooks: ${new UsageError(usageMessage(error)).message} See --help.`);
      return 2;
    }
    if (!(error instanceof UsageError || error instanceof WebhookConfigurationError)) {
      throw error;
    }
    // A UsageError is printable already; the message of an invalid option repeats its value.
    warn(`confab-webhooks: ${printable(error.message)}`);
    return 2;
  }
};
