#!/usr/bin/env node
import { fstatSync } from 'node:fs';
import { UsageError } from '@confab/internal/cli';
import type { Started } from './io.ts';
import { paintFor } from './log-lines.ts';
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

const complain = (error: unknown): void => warn(error instanceof Error ? error.message : String(error));

/** Milliseconds for responses in flight when the reader of standard output has gone. */
const GRACE = 5_000;

/** Milliseconds in which `head -1` ends once it has its line. */
const PAUSE = 200;

/**
 * Prints the banner. A pipe tells only whoever writes to it that its reader has gone, so between the first line and the
 * rest there is a pause: otherwise `confab-mock | head -1` would go on until the first request.
 */
const printBanner = (banner: string): void => {
  const end = banner.indexOf('\n') + 1;
  print(banner.slice(0, end));
  if (fstatSync(1).isFIFO()) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE);
  }
  print(banner.slice(end));
};

/** Stops the server at a signal. Before it has started, there is nothing to save, and a signal ends the process. */
const handleSignals = ({ stop }: Started): void => {
  const end = async (graceMs: number) => {
    await stop(graceMs).catch((error: unknown) => {
      complain(error);
      process.exitCode = 1;
    });
    process.exit();
  };
  // Not with `once`, because a second Ctrl+C would then end the process in the middle of saving.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => end(0));
  }
  process.stdout.once('error', () => end(GRACE));
};

try {
  const started = await run(process.argv.slice(2), { print, warn, paint: paintFor(process.stdout) });
  if (started !== undefined) {
    handleSignals(started);
    // Last, because its reader may send a signal at once.
    printBanner(started.banner);
  }
} catch (error) {
  if (!(error instanceof UsageError)) {
    throw error;
  }
  complain(error);
  process.exitCode = 2;
}
