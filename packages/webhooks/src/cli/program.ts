import { createProgram, printable, runProgram, UsageError } from '@confab/internal/cli';
import { WebhookConfigurationError } from '../errors.ts';
import type { ExitCode } from './commands.ts';
import { COMMANDS } from './commands.ts';
import { describeError } from './describe.ts';
import type { DeliveryFlags, Io, ListenFlags } from './flags.ts';
import { SECRET_VARIABLE } from './flags.ts';

const NOTES = `
The secret comes from ${SECRET_VARIABLE} or --secret.
Exit code: 0 success, 1 refused, not found or no response, 2 incorrect usage.`;

/** Runs a command line and resolves to the exit code. */
export const run = async (
  args: readonly string[],
  io: Io,
  warn: (line: string) => void,
): Promise<ExitCode> => {
  let code: ExitCode = 0;
  const escaping: Io = { ...io, print: (line) => io.print(printable(line)) };
  const program = createProgram('confab-webhooks', import.meta.url, (text) => io.print(text.trimEnd()))
    .description('Signs, verifies and receives webhook deliveries.')
    .addHelpText('after', NOTES);
  for (const { usage, description, example, options, run } of COMMANDS) {
    const command = program
      .command(usage)
      .description(description)
      .addHelpText('after', `${NOTES}\n\nExample:\n  confab-webhooks ${example}`)
      .action(async () => {
        code = await run(command.opts<DeliveryFlags & ListenFlags>(), escaping, command.args[0]);
      });
    for (const option of options) {
      command.addOption(option);
    }
  }
  try {
    if (args.length === 0) {
      throw new UsageError('Pass a command: sign, verify, detect, listen, send or replay. See --help.');
    }
    await runProgram(program, args);
    return code;
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof WebhookConfigurationError)) {
      throw error;
    }
    // The message of a UsageError is printable. That of an invalid option contains its value, which may not be.
    warn(`confab-webhooks: ${printable(describeError(error))}`);
    return 2;
  }
};
