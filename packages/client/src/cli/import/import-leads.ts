import { createReadStream, statSync } from 'node:fs';
import { UsageError } from '@confab/internal/cli';
import type { CountryCode } from 'libphonenumber-js/min';
import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { describeIssues, LeadCreateSchema } from '../../contract/index.ts';
import type { Confab, EnsureProgress } from '../../index.ts';
import { InvalidRequestError } from '../../index.ts';
import type { Io } from '../io.ts';
import { jsonLine } from '../print.ts';
import type { Columns } from './columns.ts';
import { mapFlag, REASON } from './columns.ts';
import type { FailedRows } from './failed-rows.ts';
import { openFailedRows } from './failed-rows.ts';
import { createProgressLine, inWords } from './progress.ts';
import type { Format, Row } from './read-rows.ts';
import { readRows } from './read-rows.ts';

/** The flags of `confab leads import`. */
export interface ImportFlags {
  readonly map?: Columns;
  readonly onExisting: 'keep' | 'update';
  readonly country?: CountryCode;
  readonly encoding?: string;
  readonly failed?: string;
  readonly skip: number;
}

/** How the command ended. */
export type ImportEnd = 'done' | 'some rows failed' | 'interrupted';

interface Import extends ImportFlags {
  /** A path, or `-` for standard input. */
  readonly file: string;
  readonly asJson: boolean;
}

/** Number of reasons to print where no file takes the rows that failed. */
const MAX_REASONS = 20;

/** @throws {@link UsageError} When there is no such country. */
export const readCountry = (text: string): CountryCode => {
  const country = text.toUpperCase();
  if (!isSupportedCountry(country)) {
    throw new UsageError(`--country must be two letters, such as BR, got ${JSON.stringify(text)}.`);
  }
  return country;
};

/** @throws {@link UsageError} When no decoder has this name. */
export const readEncoding = (text: string): string => {
  try {
    return new TextDecoder(text).encoding;
  } catch {
    throw new UsageError(
      `--encoding must be the name of an encoding, such as windows-1252 or utf-16le, got ${JSON.stringify(text)}.`,
    );
  }
};

const normalizerOf = (country: CountryCode | undefined) =>
  country &&
  ((phone: string): string | undefined => {
    const parsed = parsePhoneNumberFromString(phone.replace(/^\s*00/, '+'), country);
    return parsed?.isValid() ? parsed.number : undefined;
  });

/** Opens the file as often as it is called; standard input can be read once. */
const openFile = ({ file, encoding, map = new Map() }: Import, { stdin }: Io) => {
  let format: Format = { delimiter: ',', names: [] };
  let columns: Columns = new Map();
  const rows = async function* (): AsyncGenerator<Row, void> {
    const bytes: AsyncIterable<Uint8Array> = file === '-' ? stdin() : createReadStream(file);
    try {
      yield* readRows(bytes, {
        encoding,
        map,
        onFormat: (...found) => {
          [format, columns] = found;
        },
      });
    } catch (error) {
      const { code, message } = Object(error);
      // Node's messages already contain the path, so it is cut off.
      const isFromSystem = /^E[A-Z]+$/.test(code);
      throw error instanceof UsageError || isFromSystem
        ? new UsageError(`Cannot import ${file}: ${isFromSystem ? message.replace(/,.*/, '.') : message}`)
        : error;
    }
  };
  return { rows, format: () => format, columns: () => columns };
};

type OpenFile = ReturnType<typeof openFile>;

const reasonOf = (error: unknown, country: CountryCode | undefined): string =>
  (error instanceof InvalidRequestError
    ? error.issues.map(({ path, message }) => `${path.replace('body.', '')} ${message}`).join('; ')
    : String(Object(error).message ?? error)
  )
    .replace(/must be in E\.164.*`normalizePhone` returned .*/, `is not a valid number of ${country}`)
    .replace(/\s*\n\s*/g, ' ');

/** The flags with which the file of failed rows is imported. It is always UTF-8, and has the columns of the first file. */
const flagsAgain = ({ map, country, onExisting }: Import): string => {
  const flags = [
    map && mapFlag(map),
    country && `--country ${country}`,
    onExisting === 'update' && '--on-existing update',
  ].filter(Boolean);
  return flags.length > 0 ? ` with ${flags.join(' ')}` : '';
};

/** Tells why rows failed: in the file, or as lines on standard error. */
const createReport = (options: Import, file: OpenFile, { err }: Io) => {
  const { failed, skip, country } = options;
  const rows: FailedRows | undefined = failed === undefined ? undefined : openFailedRows(failed, skip > 0);
  let count = 0;
  return {
    async add(row: Row, error: unknown): Promise<void> {
      const reason = reasonOf(error, country);
      if (rows) {
        rows.add(row, reason, file.format());
      } else if (count < MAX_REASONS) {
        await err.write(`${jsonLine(`Line ${row.line}: ${reason}`).slice(1, -1)}\n`);
      }
      count += 1;
    },
    /** Ends it with the first rows of those that failed. A resumed import repeats the others. */
    async end(failures: number): Promise<void> {
      const kept = Math.min(count, failures);
      rows?.keep(kept);
      if (rows && kept > 0) {
        await err.write(
          `The rows that failed are in ${failed}. Correct them, and import that file${flagsAgain(options)}.\n`,
        );
      } else if (count > MAX_REASONS) {
        await err.write(`${count - MAX_REASONS} more rows failed. To keep them, pass --failed failed.csv.\n`);
      }
    },
  };
};

/** Says which columns are imported as what, and which are left out. */
const describeColumns = ({ columns, format }: OpenFile): string => {
  const used = [...columns().values(), REASON, ''];
  const left = format().names.filter((name) => !used.includes(name));
  const sources = [...columns()].map(([field, column]) => `${field} from ${jsonLine(column)}`);
  return `${sources.join(', ')}.${left.length > 0 ? ` Left out: ${left.map(jsonLine).join(', ')}.` : ''}`;
};

/** Identifies a file under all its names; undefined if there is none. */
const identityOf = (path: string): string | undefined => {
  try {
    const stats = statSync(path, { bigint: true });
    return stats.isFile() ? `${stats.dev}:${stats.ino}` : undefined;
  } catch {
    return undefined;
  }
};

/**
 * Reads a file once before anything is sent or written, so that a mistake in it is found first. Standard input cannot be
 * read twice, so the number of its rows is unknown.
 *
 * @throws {@link UsageError} When the file cannot be read, or is the one for the rows that fail.
 */
const checkFile = async (options: Import, io: Io) => {
  const isInput = options.file === '-';
  const failed = options.failed === undefined ? undefined : identityOf(options.failed);
  if (failed !== undefined && failed === identityOf(isInput ? '/dev/stdin' : options.file)) {
    throw new UsageError('--failed must name another file than the one to import.');
  }
  const file = openFile(options, io);
  let total: number | undefined;
  if (!isInput) {
    total = 0;
    for await (const _ of file.rows()) {
      total += 1;
    }
  }
  return { file, total };
};

/**
 * Imports the rows of a file.
 *
 * @throws {@link UsageError} When the file cannot be imported, and nothing was sent.
 */
export const importLeads = async (
  connect: () => Promise<Confab>,
  options: Import,
  io: Io,
): Promise<ImportEnd> => {
  const { skip, onExisting, country, asJson } = options;
  const { file, total } = await checkFile(options, io);
  const confab = await connect();
  if (total !== undefined) {
    await io.err.write(`Importing ${describeColumns(file)}\n`);
  }

  let isInterrupted = false;
  let isCut = false;
  io.onInterrupt(() => {
    isInterrupted = true;
    void io.err.write('\nFinishing the rows under way. Press Ctrl+C again to stop at once.\n');
  });
  /** Rows that were read and are not done, in order. */
  const pending: Row[] = [];
  const leads = async function* () {
    let index = 0;
    for await (const row of file.rows()) {
      if (isInterrupted) {
        isCut = true;
        return;
      }
      index += 1;
      if (index > skip) {
        pending.push(row);
        yield row.lead;
      }
    }
  };

  const report = createReport(options, file, io);
  const line = createProgressLine(io.err, skip, total);
  const run = confab.leads.ensureMany(leads(), { onExisting, normalizePhone: normalizerOf(country) });
  let done = 0;
  let isComplete = false;
  try {
    for await (const { status, error } of run) {
      const row = pending.shift();
      if (row && status === 'failed') {
        await report.add(row, error);
      }
      done += 1;
      await line.update(run.progress);
    }
    isComplete = !isCut;
  } catch (error) {
    // The exit code of a usage error promises that nothing was sent.
    throw error instanceof UsageError && run.progress.done + pending.length > 0
      ? new Error(error.message)
      : error;
  } finally {
    await line.end(run.progress);
    await report.end(run.progress.failed);
    if (!isComplete) {
      // The last row is not done if its failure could not be recorded.
      const skipped = skip + Math.min(done, run.progress.done);
      await io.err.write(`Stopped. To resume, add --skip ${skipped}.\n`);
    }
  }
  await io.out.write(`${asJson ? jsonLine(run.progress) : inWords(run.progress)}\n`);
  return isCut ? 'interrupted' : run.progress.failed > 0 ? 'some rows failed' : 'done';
};

/** Number of leads that a dry run shows on a terminal. */
const MAX_SHOWN = 3;

/** Checks every row as the import would, and prints the leads that it would send. */
export const dryRunImport = async (options: Import, io: Io): Promise<ImportEnd> => {
  const { skip, country, asJson } = options;
  const normalize = normalizerOf(country);
  const { file } = await checkFile(options, io);
  const report = createReport(options, file, io);
  let progress: EnsureProgress = { done: 0, created: 0, existing: 0, updated: 0, unknown: 0, failed: 0 };
  let index = 0;
  for await (const row of file.rows()) {
    index += 1;
    if (index <= skip) {
      continue;
    }
    const phone =
      normalize && typeof row.lead.phone === 'string' ? normalize(row.lead.phone) : row.lead.phone;
    const lead = { ...row.lead, phone };
    const { error } = LeadCreateSchema.safeParse(lead);
    progress = { ...progress, done: progress.done + 1, failed: progress.failed + (error ? 1 : 0) };
    if (error) {
      const issues = describeIssues(error, row.lead).map(({ path, message }) =>
        path === 'phone' && normalize && row.lead.phone !== undefined
          ? { path, message: `is not a valid number of ${country}` }
          : { path, message },
      );
      await report.add(row, new InvalidRequestError('leads.create', issues));
    } else if (asJson || progress.done - progress.failed <= MAX_SHOWN) {
      await io.out.write(`${jsonLine(lead)}\n`);
    }
  }
  await report.end(progress.failed);
  await io.err.write(
    `${describeColumns(file)}\nRows to send: ${progress.done - progress.failed}. Invalid: ${progress.failed}.\n`,
  );
  return progress.failed > 0 ? 'some rows failed' : 'done';
};
