/**
 * Sends hostile uploads and responses to the packages, each in a process of its own, and measures what they cost. Prints a
 * table. Exits with 1 if a case takes too much memory or processor time, or gets a wrong response.
 */
import { program } from 'commander';
import { printTable } from '../../scripts/bench/tables.ts';
import { startChild } from '../support/start-child.ts';
import type { Case } from './cases.ts';
import { CASES } from './cases.ts';
import { serveHostileResponses } from './hostile-responses.ts';
import type { Usage } from './meter.ts';

const MIB = 1_048_576;

/** Memory that a case may take, in multiples of the byte limit that applies. */
const MAX_MEMORY = 10;

/** Far above what was measured (60 ms at most), and far below what an unbounded read takes (seconds). */
const MAX_STALL_MS = 250;

/** Far above what the largest case takes (12 s), and far below what it takes to copy a body for each of its bytes. */
const MAX_WORK_MS = 30_000;

const [part = ''] = program
  .name('pnpm --dir test hostile')
  .argument('[case]', 'a part of the name of the cases to run')
  .parse().args;

// With a small young generation, the figures show what a case keeps, not the space that V8 takes for garbage.
const FLAGS = ['--expose-gc', '--max-semi-space-size=2'];

const api = await serveHostileResponses();

/** Runs a case. Returns its row of the table, and what is wrong. */
const measure = async ({ subject, name, limit, warmUp, run, responses, isFlood }: Case) => {
  const child = await startChild<{ result: unknown }>(new URL('child.ts', import.meta.url), [subject], FLAGS);
  const ask = async (...question: string[]) => (await child.ask(...question)).result;
  const url = `${child.greeting.result || api.url}`;
  try {
    await warmUp(url, ask);
    await ask('begin');
    const given = await run(url, ask);
    const { memory, stall, work } = (await ask('end')) as Usage;
    const problems = {
      [`must get ${responses}`]: String(given) !== String(responses),
      [`takes more than ${MAX_MEMORY} times its limit in memory`]: memory > limit * MAX_MEMORY,
      [`keeps the event loop busy for more than ${MAX_STALL_MS} ms`]: !isFlood && stall > MAX_STALL_MS,
      [`takes more than ${MAX_WORK_MS} ms of processor time`]: work > MAX_WORK_MS,
    };
    const ms = (value: number) => `${value.toFixed(0)} ms`;
    const memoryText = `${(memory / limit).toFixed(1)} × (${(memory / MIB).toFixed(0)} MiB)`;
    return {
      row: [subject, name, given.join(', '), memoryText, isFlood ? '' : ms(stall), ms(work)],
      problems: Object.keys(problems).filter((problem) => problems[problem]),
    };
  } catch (error) {
    return { row: [subject, name, 'FAILED', '', '', ''], problems: [String(error)] };
  } finally {
    child.stop();
  }
};

const rows: string[][] = [];
for (const one of CASES.filter(({ subject, name }) => `${subject}: ${name}`.includes(part))) {
  const { row, problems } = await measure(one);
  rows.push(row);
  if (problems.length > 0) {
    console.error(`${one.subject}: ${one.name}: ${problems.join('; ')}`);
    process.exitCode = 1;
  }
}
api.close();
printTable(
  ['Package', 'Case', 'Response', 'Memory, times the limit', 'Longest stall', 'Processor time'],
  rows,
);
