/**
 * Imports a CSV file: `node src/main.ts [file] [--concurrency <number>] [--restart]`. Exits with 0 if every row has a lead, 1
 * if some failed or the import ended with an error, 2 if it could not start, and 130 after Ctrl-C.
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ConfabError, ConfigurationError } from '@confab/client';
import { ImportError } from './import-error.ts';
import { importFile } from './import-file.ts';
import { createProgressDisplay, describeProgress } from './progress.ts';
import { connect } from './service.ts';

const INTERRUPTED = 130;

const display = createProgressDisplay(process.stderr);
const stop = new AbortController();
const interrupt = () => {
  if (stop.signal.aborted) {
    // The state was saved a moment ago. Rows that are done since then are repeated, which is harmless.
    process.exit(INTERRUPTED);
  }
  stop.abort();
  display.print('Finishing the rows under way. Press Ctrl-C again to end at once.');
};
process.on('SIGINT', interrupt);
process.on('SIGTERM', interrupt);

const run = async (): Promise<number> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { concurrency: { type: 'string' }, restart: { type: 'boolean' } },
  });
  const [path = fileURLToPath(new URL('../sample.csv', import.meta.url))] = positionals;
  const { progress, total, failedPath } = await importFile({
    confab: connect(),
    path,
    concurrency: values.concurrency === undefined ? undefined : Number(values.concurrency),
    restart: values.restart,
    stop: stop.signal,
    onProgress: display.update,
  });
  display.end();
  console.log(`Imported ${describeProgress(progress, total)}.`);
  if (progress.failed > 0) {
    console.log(`The failed rows are in ${failedPath}. Correct them, and import that file.`);
  }
  if (progress.done < total) {
    console.log('Run the same command again to resume.');
    return INTERRUPTED;
  }
  return progress.failed > 0 ? 1 : 0;
};

/** Whether the user can solve the problem before anything is sent. */
const isMistake = (error: unknown): error is Error =>
  error instanceof ImportError ||
  error instanceof ConfigurationError ||
  (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'));

try {
  process.exitCode = await run();
} catch (error) {
  display.end();
  if (isMistake(error)) {
    console.error(error.message);
    process.exitCode = 2;
  } else {
    console.error(error instanceof ConfabError ? error.message : error);
    console.error('The import has ended early. Run the same command again to resume.');
    process.exitCode = 1;
  }
}
