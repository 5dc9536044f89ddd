#!/usr/bin/env node
import { UsageError } from '@confab/internal/cli';
import type { Started } from './io.ts';
import { createPaint } from './log-lines.ts';
import { run } from './program.ts';

// A closed pipe must not crash the process. If it is standard output, the server stops: see below.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', () => {});
}

const print = (text: string): void => {
  process.stdout.write(text);
};

const warn = (text: string): void => {
  process.stderr.write(`confab-mock: ${text}\n`);
};

const printError = (error: unknown): void => warn(error instanceof Error ? error.message : String(error));

/** Milliseconds for which responses in flight may finish after the reader of standard output has gone. */
const GRACE_MS = 5_000;

/** Stops the server on a signal. Before the server has started, a signal ends the process, as there is nothing to save. */
const handleSignals = ({ stop }: Started): void => {
  const end = async (graceMs: number) => {
    await stop(graceMs).catch((error: unknown) => {
      printError(error);
      process.exitCode = 1;
    });
    process.exit();
  };
  // Not with `once`, because a second Ctrl+C would then end the process in the middle of saving.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => end(0));
  }
  process.stdout.once('error', () => end(GRACE_MS));
};

try {
  const started = await run(process.argv.slice(2), { print, warn, paint: createPaint(process.stdout) });
  if (started !== undefined) {
    handleSignals(started);
    // Printed last, because its reader may send a signal at once.
    print(started.banner);
  }
} catch (error) {
  if (!(error instanceof UsageError)) {
    throw error;
  }
  printError(error);
  process.exitCode = 2;
}
