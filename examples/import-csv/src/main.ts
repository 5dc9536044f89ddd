/**
 * Imports a CSV file. Exits with 0 if every row has a lead, 1 if some failed or the import ended early, 2 if it could not
 * start, and 130 after Ctrl-C.
 */
import { appendFileSync, existsSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { SingleBar } from 'cli-progress';
import { program } from 'commander';
import { stringify } from 'csv-stringify/sync';
import type { Row } from './read-rows.ts';
import { readRows, toLead } from './read-rows.ts';
import { connect } from './service.ts';

program
  .argument('[file]', 'the CSV file', fileURLToPath(new URL('../sample.csv', import.meta.url)))
  .option('--concurrency <rows>', 'rows that are under way at once', Number)
  .option('--skip <rows>', 'rows that an earlier run has done', Number, 0)
  .parse();
const { concurrency, skip } = program.opts<{ concurrency?: number; skip: number }>();
const [path = ''] = program.processedArgs as [string];
const failedPath = path.replace(/(?:\.csv)?$/i, '.failed.csv');

/** The whole file is read once before anything is sent, so that a mistake in it is found first. */
const countRows = async (): Promise<number> => {
  let rows = 0;
  try {
    for await (const _ of readRows(path)) {
      rows += 1;
    }
  } catch (error) {
    program.error(`Cannot import ${path}: ${(error as Error).message}`, { exitCode: 2 });
  }
  return rows;
};

/** Ends the source, so the import finishes the rows under way. */
let stopped = false;
process.once('SIGINT', () => {
  stopped = true;
});

/** Rows that were read and are not done, in order. */
const pending: Row[] = [];
const readLeads = async function* () {
  let line = 0;
  for await (const row of readRows(path)) {
    line += 1;
    if (stopped) {
      return;
    }
    if (line > skip) {
      pending.push(row);
      yield toLead(row);
    }
  }
};

const total = await countRows();
if (skip === 0) {
  rmSync(failedPath, { force: true });
}
const bar = new SingleBar({
  format: '{bar} {value} of {total} rows | {created} created, {existing} existing, {failed} failed',
  noTTYOutput: true,
  notTTYSchedule: 5_000,
});
const run = connect().leads.ensureMany(readLeads(), { concurrency });
bar.start(total, skip, run.progress);
const keep = ({ reason: _, ...cells }: Row, error: unknown): void => {
  const row = { ...cells, reason: (error as Error).message };
  appendFileSync(failedPath, stringify([row], { header: !existsSync(failedPath) }));
};
try {
  for await (const { status, error } of run) {
    const row = pending.shift() ?? {};
    if (status === 'failed') {
      keep(row, error);
    }
    bar.update(skip + run.progress.done, run.progress);
  }
} catch (error) {
  process.exitCode = 1;
  console.error(`\n${(error as Error).message}`);
}
bar.stop();

const done = skip + run.progress.done;
if (done < total) {
  console.log(`Stopped after ${done} of ${total} rows. To resume, run this again with --skip ${done}.`);
  process.exitCode ??= 130;
}
if (existsSync(failedPath)) {
  console.log(`Rows failed: they are in ${failedPath}. Correct them, and import that file.`);
  process.exitCode ??= 1;
}
