#!/usr/bin/env node
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { run } from './run.ts';

// Signals are caught only once a command waits for them: the others end as usual.
const stopped = async () => {
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
};
const io = { env: process.env, print: console.log, stdin: () => buffer(process.stdin), stopped };

// Whoever reads the output may leave early, as `head` does. That is the end of the work, and no error.
process.stdout.on('error', () => process.exit());

try {
  process.exitCode = await run(process.argv.slice(2), io, console.error);
} catch (error) {
  console.error(`confab-webhooks: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
