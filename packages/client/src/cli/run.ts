import { asksFor, packageVersion, printable } from '@confab/internal/cli';
import { call } from './call.ts';
import { resources } from './command.ts';
import { completionScript } from './completion/completion-script.ts';
import { baseUrlFrom, connect } from './connect.ts';
import { describeError } from './describe-error.ts';
import { dryRun } from './dry-run.ts';
import { exitCodeOf } from './exit-codes.ts';
import { commandHelp, generalHelp, resourceHelp } from './help.ts';
import type { Io } from './io.ts';
import {
  findCommand,
  parseCommandLine,
  refuseMisplacedKey,
  refuseWithoutCommand,
  splitWords,
} from './parse-command-line.ts';
import { readInput } from './read-input.ts';

/** The help for the words before `--help`, or after `help`. */
const helpFor = (words: readonly string[]): string => {
  const [resource, method] = words;
  if (resource === undefined || resource === 'completion' || resource === 'help') {
    return generalHelp();
  }
  return resources.includes(resource) && method === undefined
    ? resourceHelp(resource)
    : commandHelp(findCommand(words));
};

const runCommand = async (words: readonly string[], rest: readonly string[], io: Io): Promise<void> => {
  const command = findCommand(words);
  const { values, positionals } = parseCommandLine(command, rest);
  const input = await readInput(command, values, positionals, io);
  for (const warning of input.warnings) {
    await io.err.write(`confab: ${printable(warning)}\n`);
  }
  const asJson = values.json === true || !io.out.isTerminal;
  if (values['dry-run'] === true) {
    await dryRun(command, input, { baseUrl: baseUrlFrom(values, io), asJson }, io);
    return;
  }
  await call(await connect(values, io), command, input, { asJson, all: values.all === true }, io);
};

/** Runs a command line and resolves to the exit code. */
export const run = async (args: readonly string[], io: Io): Promise<number> => {
  const { words, rest } = splitWords(args);
  const [first, second] = words;
  try {
    refuseMisplacedKey(args, io.env.CONFAB_API_KEY);
    if (first === 'help' || asksFor('help', args) || args.length === 0) {
      const named = first === 'help' ? splitWords(args.toSpliced(args.indexOf('help'), 1)).words : words;
      await io.out.write(`${helpFor(named)}\n`);
    } else if (asksFor('version', args)) {
      await io.out.write(`${packageVersion(import.meta.url)}\n`);
    } else if (first === undefined) {
      refuseWithoutCommand(rest);
    } else if (first === 'completion') {
      await io.out.write(completionScript(second));
    } else if (
      first !== undefined &&
      resources.includes(first) &&
      second === undefined &&
      rest.length === 0
    ) {
      await io.out.write(`${resourceHelp(first)}\n`);
    } else {
      await runCommand(words, rest, io);
    }
    return 0;
  } catch (error) {
    await io.err.write(`${describeError(error, args.includes('--json'))}\n`);
    return exitCodeOf(error);
  }
};
