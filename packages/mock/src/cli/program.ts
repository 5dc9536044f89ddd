import { closestName } from '@confab/internal';
import { createProgram, runProgram, UsageError } from '@confab/internal/cli';
import type { Command } from 'commander';
import { addFlags, readFlags } from './flags.ts';
import { addInit } from './init.ts';
import type { Io, Started } from './io.ts';
import { addProbe } from './probe.ts';
import { startMock } from './start.ts';
import { startForward } from './start-forward.ts';
import { addTriggers } from './trigger.ts';

const EXAMPLES = `
Examples:
  confab-mock --port 0 --quiet
  confab-mock --fault leads.create:503:0.1 --rate-limit 5/1000ms
  confab-mock --forward https://api.example.com --record rows.json
  confab-mock --webhook http://localhost:3000/webhooks --webhook-secret my-secret`;

/** Refuses the name of a command that does not exist. */
const checkCommandName = ({ args: [name], commands }: Command): void => {
  if (name === undefined) {
    return;
  }
  const names = commands.map((command) => command.name());
  const meant = closestName(name, names);
  const hint = meant === undefined ? `To load a file, write --data ${name}.` : `Did you mean ${meant}?`;
  throw new UsageError(`Unknown command ${JSON.stringify(name)}. ${hint} See --help.`);
};

/**
 * Runs a command line. Resolves to the server, if the command line starts one.
 *
 * Each subcommand, such as `init`, has a function that adds it to the program. It prints through `io`, throws a
 * {@link UsageError} for incorrect usage (exit code 2), and sets `process.exitCode` for any other exit code.
 *
 * @throws A {@link UsageError} when a flag or file is invalid, or the port is in use.
 */
export const run = async (args: readonly string[], io: Io): Promise<Started | undefined> => {
  let started: Started | undefined;
  const program = createProgram('confab-mock', import.meta.url, io.print)
    .description('The confab API in memory, on this machine.')
    .usage('[flags]')
    .addHelpText('after', EXAMPLES)
    // Flags after the name of a command belong to that command.
    .enablePositionalOptions()
    .hook('preSubcommand', (_, command) => {
      if (args[0] !== command.name()) {
        throw new UsageError(`Write ${command.name()} first, and its flags after it. See --help.`);
      }
    })
    .action(async () => {
      checkCommandName(program);
      const flags = readFlags(program);
      const { forward } = flags;
      started = await (forward === undefined ? startMock(flags, io) : startForward(flags, forward, io));
    });
  addFlags(program);
  addInit(program, io);
  addProbe(program, io);
  addTriggers(program, io);
  // The action checks the arguments. Set last, because the commands above would inherit it.
  program.allowExcessArguments();
  await runProgram(program, args);
  return started;
};
