#!/usr/bin/env node
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { run } from './run.ts';

// Signals are caught only once a command waits for them: the others end as usual.
const stopped = async () => {
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
};
const io = { env: process.env, print: console.log, stdin: () => buffer(process.stdin), stopped };

process.exitCode = await run(process.argv.slice(2), io, console.error);
