import { asksFor, UsageError } from '@confab/internal/cli';
import type { Command } from './command.ts';
import { optionsOf } from './command.ts';
import { commandHelp } from './help.ts';

/** Ends the process without a word when nobody reads its output any more, as after `| head -1`. */
const endWithReader = (error: NodeJS.ErrnoException): void => {
  if (error.code !== 'EPIPE') {
    throw error;
  }
  // With the code that the command has set, so that a failure it knows of is not lost.
  process.exit();
};

/**
 * Reads the command line of this process. If it asks for help or is invalid, the process prints the help or the mistake,
 * and ends. From then on, the process also ends when its output is closed.
 *
 * @param parse Returns the options, or throws a {@link UsageError}.
 */
export const readCommandLine = <Options>(
  command: Command,
  parse: (args: readonly string[]) => Options,
): Options => {
  process.stdout.on('error', endWithReader);
  process.stderr.on('error', endWithReader);
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
