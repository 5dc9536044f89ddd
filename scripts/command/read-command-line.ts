import { asksFor, UsageError } from '@confab/internal/cli';
import type { Command } from './command.ts';
import { optionsOf } from './command.ts';
import { commandHelp } from './help.ts';

/**
 * Reads the command line of this process. If it asks for help or is invalid, the process prints the help or the mistake,
 * and ends.
 *
 * @param parse Returns the options, or throws a {@link UsageError}.
 */
export const readCommandLine = <Options>(
  command: Command,
  parse: (args: readonly string[]) => Options,
): Options => {
  const args = process.argv.slice(2);
  if (asksFor('help', args, optionsOf(command))) {
    process.stdout.write(`${commandHelp(command)}\n`);
    process.exit(0);
  }
  try {
    return parse(args);
  } catch (error) {
    if (!(error instanceof UsageError)) {
      throw error;
    }
    process.stderr.write(`${command.name}: ${error.message}\n`);
    process.exit(2);
  }
};
