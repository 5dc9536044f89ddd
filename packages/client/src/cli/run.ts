import { printable, UsageError, usageErrorFrom } from '@confab/internal/cli';
import { CommanderError } from 'commander';
import { call, dryRun } from './call.ts';
import type { ApiCommand } from './commands.ts';
import { baseUrlFrom, connect } from './connect.ts';
import { describeError, exitCodeOf } from './failure.ts';
import type { RunImport } from './import/command.ts';
import type { ImportEnd } from './import/import-leads.ts';
import { dryRunImport, importLeads } from './import/import-leads.ts';
import type { Io } from './io.ts';
import type { CommandLine } from './program.ts';
import { createProgram } from './program.ts';
import { readInput, unknownValues } from './read-input.ts';

/** A shorter text could be part of any argument. No key is as short. */
const MIN_KEY_LENGTH = 8;

/**
 * Refuses an API key in the place of another argument, which messages would repeat.
 *
 * @throws {@link UsageError} When there is one.
 */
const refuseMisplacedKey = (args: readonly string[], { env }: Io): void => {
  const isValue = (index: number) => args[index - 1] === '--api-key';
  const keys = [
    env.CONFAB_API_KEY,
    ...args.map((arg, index) => (isValue(index) ? arg : /^--api-key=(.*)/s.exec(arg)?.[1])),
  ].filter((key) => key !== undefined && key.length >= MIN_KEY_LENGTH);
  const others = args.filter((arg, index) => !isValue(index) && !arg.startsWith('--api-key='));
  if (keys.some((key) => others.some((arg) => arg.includes(String(key))))) {
    throw new UsageError(
      'An argument contains the API key, which other processes can see. Remove it, and set CONFAB_API_KEY.',
    );
  }
};

/** Whether commander wants help to be shown. Words alone, such as `confab leads`, ask for it; flags ask for a call. */
const asksForHelp = ({ code, exitCode }: CommanderError, args: readonly string[]): boolean =>
  exitCode === 0 || (code === 'commander.help' && !args.some((arg) => arg.startsWith('-')));

const execute = async (command: ApiCommand, line: CommandLine, io: Io): Promise<void> => {
  const { flags, globalFlags } = line;
  const input = await readInput(command, line, io);
  for (const warning of unknownValues(command, input)) {
    await io.err.write(`confab: ${printable(warning)}\n`);
  }
  const asJson = globalFlags.json === true || !io.out.isTerminal;
  if (globalFlags.dryRun) {
    await dryRun(command, input, { baseUrl: baseUrlFrom(globalFlags, io), asJson }, io);
  } else {
    await call(await connect(globalFlags, io), command, input, { asJson, all: flags.all === true }, io);
  }
};

const IMPORT_CODES: Readonly<Record<ImportEnd, number>> = {
  done: 0,
  'some rows failed': 12,
  interrupted: 130,
};

/** Runs a command line and resolves to the exit code. */
export const run = async (args: readonly string[], io: Io): Promise<number> => {
  let help = '';
  let code = 0;
  const runImport: RunImport = async (file, flags, globalFlags) => {
    const options = { ...flags, file, asJson: globalFlags.json === true || !io.out.isTerminal };
    const end = globalFlags.dryRun
      ? await dryRunImport(options, io)
      : await importLeads(() => connect(globalFlags, io), options, io);
    code = IMPORT_CODES[end];
  };
  const program = createProgram({
    columns: io.out.columns,
    write: (text) => {
      help += text;
    },
    execute: (command, line) => execute(command, line, io),
    runImport,
  });
  try {
    refuseMisplacedKey(args, io);
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError && asksForHelp(error, args)) {
      await io.out.write(help);
      return 0;
    }
    const reported = error instanceof CommanderError ? usageErrorFrom(error) : error;
    await io.err.write(`${describeError(reported, args.includes('--json'))}\n`);
    return exitCodeOf(reported);
  }
};
