import { printable, UsageError, usageErrorFrom } from '@confab/internal/cli';
import { CommanderError } from 'commander';
import { InvalidRequestError } from '../index.ts';
import { call, printRequests, startCall } from './call.ts';
import type { ApiCommand } from './commands.ts';
import type { DryRequest, GlobalFlags } from './connect.ts';
import { connect, connectNowhere } from './connect.ts';
import { describeError, exitCodeOf } from './failure.ts';
import { importLeads } from './import/import-leads.ts';
import type { Io } from './io.ts';
import type { CommandLine } from './program.ts';
import { createProgram } from './program.ts';
import type { Input } from './read-input.ts';
import { inputProblem, readInput, unknownValues } from './read-input.ts';

/** Keys are longer than this; a shorter text could be part of any argument. */
const MIN_KEY_LENGTH = 8;

/**
 * Makes sure that no other argument contains the API key, because messages quote arguments.
 *
 * @throws A {@link UsageError} when one does.
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

/** Returns true if the user wants help: words alone, such as `confab leads`, ask for help, but flags ask for a call. */
const asksForHelp = ({ code, exitCode }: CommanderError, args: readonly string[]): boolean =>
  exitCode === 0 || (code === 'commander.help' && !args.some((arg) => arg.startsWith('-')));

/**
 * Calls an operation with a client that sends nothing, so that the input is checked before the command asks for a key.
 *
 * @throws A {@link UsageError} when the input is invalid.
 */
const rehearse = async (
  command: ApiCommand,
  input: Input,
  flags: GlobalFlags,
  io: Io,
): Promise<DryRequest[]> => {
  const requests: DryRequest[] = [];
  const client = connectNowhere(flags, io, (request) => void requests.push(request));
  try {
    await startCall(client, command, input);
  } catch (error) {
    throw error instanceof InvalidRequestError ? inputProblem(command, input, error) : error;
  }
  if (input.body && Object.keys(input.body).length === 0) {
    const { resource, name } = command;
    throw new UsageError(
      `Nothing to send. Pass a flag of a field, or --data. See confab ${resource} ${name} --help.`,
    );
  }
  return requests;
};

const execute = async (command: ApiCommand, line: CommandLine, io: Io): Promise<void> => {
  const { flags, globalFlags } = line;
  const input = await readInput(command, line, io);
  const requests = await rehearse(command, input, globalFlags, io);
  for (const warning of unknownValues(command, input)) {
    await io.err.write(`confab: ${printable(warning)}\n`);
  }
  const asJson = globalFlags.json === true || !io.out.isTerminal;
  if (globalFlags.dryRun) {
    await printRequests(requests, asJson, io);
  } else {
    await call(await connect(globalFlags, io), command, input, { asJson, all: flags.all === true }, io);
  }
};

/** Runs a command line and resolves to the exit code. */
export const run = async (args: readonly string[], io: Io): Promise<number> => {
  let help = '';
  let code = 0;
  const program = createProgram({
    columns: io.out.columns,
    write: (text) => {
      help += text;
    },
    execute: (command, line) => execute(command, line, io),
    runImport: async (file, flags) => {
      code = await importLeads(file, flags, io);
    },
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
    const reported = error instanceof CommanderError ? usageErrorFrom(error, program, args) : error;
    await io.err.write(`${describeError(reported, args.includes('--json'))}\n`);
    return exitCodeOf(reported);
  }
};
