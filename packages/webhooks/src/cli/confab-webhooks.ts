#!/usr/bin/env node
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { run } from './program.ts';

// Signals are handled only while a command waits for them. All other commands end as usual.
const stopped = async () => {
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
};
const io = { env: process.env, print: console.log, stdin: () => buffer(process.stdin), stopped };

// The reader of the output may close it early, as `head` does. That is not an error.
process.stdout.on('error', () => process.exit());

try {
  process.exitCode = await run(process.argv.slice(2), io, console.error);
} catch (error) {
  console.error(`confab-webhooks: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
