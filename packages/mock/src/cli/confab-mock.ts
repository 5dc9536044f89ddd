#!/usr/bin/env node
import { fstatSync } from 'node:fs';
import { asksFor, didYouMean, packageVersion, UsageError } from '@confab/internal/cli';
import { HELP, INIT_HELP, PROBE_HELP } from './help.ts';
import { init } from './init.ts';
import { onlyOnce } from './only-once.ts';
import { paintFor } from './paint.ts';
import { OPTIONS, parseFlags, withDefaults } from './parse-flags.ts';
import { runProbeCommand } from './probe/flags.ts';
import { startCommand } from './start-command.ts';

// A reader that has gone is no reason to crash. That of standard output ends the server: see below.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', () => {});
}

const print = (text: string): void => {
  process.stdout.write(text);
};

/** Milliseconds in which `head -1` ends once it has its line. */
const PAUSE = 200;

/**
 * Prints the first text. A pipe tells only whoever writes to it that its reader has gone, so between the first line and the
 * rest there is a pause: otherwise `confab-mock | head -1` would go on until the first request.
 */
const printFirst = (text: string): void => {
  const end = text.indexOf('\n') + 1;
  print(text.slice(0, end));
  if (fstatSync(1).isFIFO()) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE);
  }
  print(text.slice(end));
};

const complain = (error: unknown): void => {
  process.stderr.write(`confab-mock: ${error instanceof Error ? error.message : error}\n`);
};

const commandHint = (command: string): string =>
  /\.(?:ya?ml|json)$/i.test(command)
    ? `To load a file, write --data ${command}. `
    : didYouMean(command, ['init', 'probe']);

const run = async (args: readonly string[]): Promise<void> => {
  const end = () =>
    started
      .then((stop) => stop())
      .then(
        () => process.exit(0),
        (error: unknown) => {
          complain(error);
          process.exit(1);
        },
      );
  const handleSignals = onlyOnce(async () => {
    // Not with `once`, because a second Ctrl+C would then end the process in the middle of saving.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, end);
    }
    process.stdout.once('error', end);
  });
  // From the banner on, because its reader may send a signal at once. Before that there is nothing to save, and a signal ends
  // the process even while it loads a large file, when no handler could run.
  let printNext = printFirst;
  const printFrom = (text: string): void => {
    void handleSignals();
    printNext(text);
    printNext = print;
  };
  const started = startCommand(parseFlags(args), printFrom, complain, paintFor(process.stdout));
  await started;
};

try {
  const args = withDefaults(process.argv.slice(2));
  const [command = '-'] = args;
  if (asksFor('help', args, OPTIONS)) {
    print({ init: INIT_HELP, probe: PROBE_HELP }[command] ?? HELP);
  } else if (asksFor('version', args, OPTIONS)) {
    print(`${packageVersion(import.meta.url)}\n`);
  } else if (command === 'init') {
    print(await init(args.slice(1)));
  } else if (command === 'probe') {
    await runProbeCommand(args.slice(1), print);
  } else if (!command.startsWith('-')) {
    throw new UsageError(`Unknown command ${JSON.stringify(command)}. ${commandHint(command)}See --help.`);
  } else {
    await run(args);
  }
} catch (error) {
  if (!(error instanceof UsageError)) {
    throw error;
  }
  complain(error);
  process.exitCode = 2;
}
