import { createReadStream, statSync } from 'node:fs';
import { printable, UsageError } from '@confab/internal/cli';
import { InvalidRequestError } from '../../index.ts';
import type { GlobalFlags } from '../connect.ts';
import { connect, connectNowhere } from '../connect.ts';
import type { Io } from '../io.ts';
import { jsonLine } from '../print.ts';
import type { ColumnFlags } from './columns.ts';
import { formatColumnFlags, REASON_COLUMN } from './columns.ts';
import type { Country } from './country.ts';
import { createNormalizer, lackingCountryError, lacksCountry } from './country.ts';
import { createDuplicates } from './duplicates.ts';
import { openFailedRows } from './failed-rows.ts';
import { createPreview } from './preview.ts';
import { createProgressLine, formatCounts, writeNote } from './progress.ts';
import type { Format, Row } from './read-rows.ts';
import { readRows } from './read-rows.ts';

/** The flags of `confab leads import`. */
export interface ImportFlags extends GlobalFlags, ColumnFlags {
  readonly onExisting: 'keep' | 'update';
  readonly country?: Country;
  readonly encoding?: string;
  readonly failed?: string;
  readonly skip: number;
}

/** Maximum number of reasons to print without a file for the failed rows. */
const MAX_REASONS = 20;

/** @throws A {@link UsageError} when no decoder has this name. */
export const readEncoding = (text: string): string => {
  try {
    return new TextDecoder(text).encoding;
  } catch {
    throw new UsageError(
      `--encoding must be the name of an encoding, such as windows-1252 or utf-16le, got ${JSON.stringify(text)}.`,
    );
  }
};

/** Reads the rows of a file. Standard input can be read only once. */
const readImportRows = async function* (
  file: string,
  flags: ImportFlags,
  { stdin }: Io,
): AsyncGenerator<Row, void> {
  try {
    yield* readRows(file === '-' ? stdin() : createReadStream(file), flags);
  } catch (error) {
    const { code, message } = Object(error);
    // Node's messages already contain the path, so it is cut off.
    const isFromSystem = /^E[A-Z]+$/.test(code);
    if (!(error instanceof UsageError || isFromSystem)) {
      throw error;
    }
    const [problem = '', ...lines] = String(message).split('\n');
    const shown =
      code === 'EISDIR' ? 'It is a folder.' : isFromSystem ? problem.replace(/,.*/, '.') : problem;
    throw new UsageError(`Cannot import ${file}: ${shown}`, lines);
  }
};

const isSameFile = (...paths: [string, string]): boolean => {
  try {
    const [one, other] = paths.map((path) => statSync(path));
    return one?.isFile() === true && one.dev === other?.dev && one.ino === other.ino;
  } catch {
    return false;
  }
};

/**
 * Reads a file once before anything is sent or written, so that mistakes in it are found first. Standard input cannot
 * be read twice, so it is checked as it arrives, and the number of its rows is unknown.
 *
 * @throws A {@link UsageError} when the file cannot be imported, or is also the file for the failed rows.
 */
const checkFile = async (file: string, flags: ImportFlags, io: Io): Promise<number | undefined> => {
  const isInput = file === '-';
  if (flags.failed !== undefined && isSameFile(flags.failed, isInput ? '/dev/stdin' : file)) {
    throw new UsageError('--failed must name a different file from the one to import.');
  }
  if (isInput) {
    return undefined;
  }
  const lacking: number[] = [];
  let total = 0;
  for await (const row of readImportRows(file, flags, io)) {
    total += 1;
    if (flags.country === undefined && total > flags.skip && lacksCountry(row)) {
      lacking.push(row.line);
    }
  }
  if (lacking.length > 0) {
    throw lackingCountryError(file, lacking);
  }
  return Math.max(0, total - flags.skip);
};

/** Says which columns are imported as what, and which are left out. */
const describeColumns = ({ columns, names }: Format): string => {
  const used = [...columns.values(), REASON_COLUMN, ''];
  const left = names.filter((name) => !used.includes(name));
  const sources = [...columns].map(([field, column]) => `${field} from ${jsonLine(column)}`);
  return `${sources.join(', ')}.${left.length > 0 ? ` Left out: ${left.map(jsonLine).join(', ')}.` : ''}`;
};

const describeReason = (error: unknown, country: Country | undefined): string =>
  (error instanceof InvalidRequestError
    ? error.issues.map(({ path, message }) => `${path.replace('body.', '')} ${message}`).join('; ')
    : String(Object(error).message ?? error)
  )
    .replace('must be a string, got undefined', 'is empty')
    .replace(/must be in E\.164.*`normalizePhone` returned .*/, `is not a valid number of ${country}`)
    .replace(/\s*\n\s*/g, ' ');

/** Returns the flags with which to import the file of failed rows, which is UTF-8 and has the same columns. */
const repeatFlags = (flags: ImportFlags): string => {
  const { country, onExisting } = flags;
  const parts = [
    formatColumnFlags(flags),
    country && `--country ${country}`,
    onExisting === 'update' && '--on-existing update',
  ].filter(Boolean);
  return parts.length > 0 ? ` with ${parts.join(' ')}` : '';
};

/** Writes the reasons why rows failed to the file of failed rows, or to standard error. */
const createReport = (flags: ImportFlags, { err }: Io) => {
  const { failed, skip, country } = flags;
  const file = failed === undefined ? undefined : openFailedRows(failed, skip > 0);
  let count = 0;
  return {
    async add(row: Row, error: unknown): Promise<void> {
      const reason = describeReason(error, country);
      if (file) {
        file.add(row, reason);
      } else if (count < MAX_REASONS) {
        await writeNote(err, printable(`Line ${row.line}: ${reason}`));
      }
      count += 1;
    },
    /** Keeps only the first `failures` rows in the file: a resumed import sends the others again. */
    async end(failures: number): Promise<void> {
      const kept = Math.min(count, failures);
      file?.keep(kept);
      if (file && kept > 0) {
        await err.write(
          `The rows that failed are in ${failed}. Correct them, and import that file${repeatFlags(flags)}.\n`,
        );
      } else if (count > MAX_REASONS) {
        await err.write(`${count - MAX_REASONS} more rows failed. To keep them, pass --failed failed.csv.\n`);
      }
    },
  };
};

/** Reads the rows after the skipped ones, until Ctrl+C. */
const createSource = (file: string, flags: ImportFlags, io: Io) => {
  /** The rows that were read and are not done, in order. */
  const pending: Row[] = [];
  let isInterrupted = false;
  let isCut = false;
  io.onInterrupt(() => {
    isInterrupted = true;
    void io.err.write('\nFinishing the rows in progress. Press Ctrl+C again to stop at once.\n');
  });
  const leads = async function* () {
    let index = 0;
    for await (const row of readImportRows(file, flags, io)) {
      if (isInterrupted) {
        isCut = true;
        return;
      }
      if (index === 0) {
        const verb = flags.dryRun ? 'Would import' : 'Importing';
        await io.err.write(`${verb} ${describeColumns(row.format)}\n`);
      }
      index += 1;
      if (index > flags.skip) {
        if (flags.country === undefined && lacksCountry(row)) {
          throw lackingCountryError(file, [row.line]);
        }
        pending.push(row);
        yield row.lead;
      }
    }
  };
  return { leads, pending, isCut: () => isCut };
};

/**
 * Imports the rows of a file. A dry run does the same with a client that sends nothing, and prints what it would send.
 *
 * @param file A path, or `-` for standard input.
 * @returns The exit code.
 * @throws A {@link UsageError} when the file cannot be imported, and nothing was sent.
 */
export const importLeads = async (file: string, flags: ImportFlags, io: Io): Promise<number> => {
  const { skip, onExisting, country, dryRun } = flags;
  const { out, err } = io;
  const asJson = flags.json === true || !out.isTerminal;
  const total = await checkFile(file, flags, io);
  const preview = dryRun ? createPreview(asJson, io) : undefined;
  const duplicates = createDuplicates(onExisting, err);
  const confab = dryRun ? connectNowhere(flags, io) : await connect(flags, io);
  const report = createReport(flags, io);
  const showProgress = dryRun ? async () => {} : createProgressLine(err, total);
  const { leads, pending, isCut } = createSource(file, flags, io);
  const run = confab.leads.ensureMany(leads(), {
    onExisting: dryRun ? 'keep' : onExisting,
    normalizePhone: createNormalizer(country),
  });
  let done = 0;
  let isComplete = false;
  try {
    for await (const { status, lead, error } of run) {
      const row = pending.shift();
      if (row && status === 'failed') {
        await report.add(row, error);
      } else if (row && lead && !(await duplicates.note(row, lead))) {
        await preview?.add(lead);
      }
      done += 1;
      await showProgress(run.progress);
    }
    isComplete = !isCut();
  } catch (error) {
    // The exit code of a usage error promises that nothing was sent.
    throw error instanceof UsageError && !dryRun && run.progress.done + pending.length > 0
      ? new Error(error.message)
      : error;
  } finally {
    await showProgress(run.progress, true);
    await report.end(run.progress.failed);
    // The last row is not done if its failure could not be recorded.
    const rows = skip + Math.min(done, run.progress.done);
    if (!isComplete && done > 0) {
      await err.write(`Stopped. To resume, ${rows > 0 ? `add --skip ${rows}` : 'run the command again'}.\n`);
    }
  }
  const { failed } = run.progress;
  if (preview) {
    await preview.end(duplicates.count(), failed);
  } else {
    await out.write(`${asJson ? jsonLine(run.progress) : formatCounts(run.progress)}\n`);
  }
  return isCut() ? 130 : failed > 0 ? 12 : 0;
};
