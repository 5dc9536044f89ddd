#!/usr/bin/env node
import { styleText } from 'node:util';
import { askSecret } from './ask-secret.ts';
import type { Output } from './io.ts';
import { run } from './run.ts';

/** The assumed width of a terminal that does not report one, in columns. */
const DEFAULT_COLUMNS = 80;

const createOutput = (stream: NodeJS.WriteStream): Output => ({
  isTerminal: stream.isTTY === true,
  columns: stream.columns || DEFAULT_COLUMNS,
  write: (chunk) =>
    new Promise((resolve) => {
      // Resolves when the chunk has left the process, so a slow reader slows the calls down.
      stream.write(chunk, () => resolve());
    }),
  bold: (chunk) => styleText('bold', chunk, { stream }),
});

// The reader of the messages has gone, so nothing can be reported.
process.stderr.on('error', () => {});

const exit = (): void => process.exit(130);

let interrupt = exit;

process.on('SIGINT', () => interrupt());

// A reader of the output that stops early, as `head` does, is not an error.
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code !== 'EPIPE') {
    process.stderr.write(`confab: Cannot write the output: ${message}\n`);
  }
  process.exit(code === 'EPIPE' ? 0 : 1);
});

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  out: createOutput(process.stdout),
  err: createOutput(process.stderr),
  stdin: () => process.stdin,
  onInterrupt(callback) {
    interrupt = () => {
      interrupt = exit;
      callback();
    };
  },
  askSecret:
    process.stdin.isTTY && process.stderr.isTTY ? (question) => askSecret(question, exit) : undefined,
});
