import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import type { LeadCreate } from '@confab/client';
import type { InfoRecord } from 'csv-parse';
import { parse } from 'csv-parse';
import { ImportError } from './import-error.ts';

/** A row of a CSV file. */
export interface CsvRow {
  /** The line on which the row ends, from 1. */
  readonly line: number;
  /** The cells, by column. */
  readonly record: Readonly<Record<string, string>>;
}

/** What is known about a file after it has been read once. */
export interface CsvSummary {
  readonly rows: number;
  /** SHA-256 of the content. */
  readonly digest: string;
}

const LEAD_COLUMNS = ['phone', 'displayName', 'email', 'source', 'notes', 'pipelineId'] as const;

/** Columns of the file of failed rows that are not part of a lead. A corrected file of failed rows can be imported. */
const REPORT_COLUMNS = ['line', 'reason'];

/** A longer row is probably a quote that was never closed, which would otherwise read the rest of the file into memory. */
const MOST_CHARACTERS = 65_536;

const checkHeader = (header: readonly string[]): string[] => {
  const known: readonly string[] = [...LEAD_COLUMNS, ...REPORT_COLUMNS];
  const wrong = header.find((name, index) => !known.includes(name) || header.indexOf(name) !== index);
  if (wrong !== undefined || !header.includes('phone')) {
    const problem = wrong === undefined ? 'The column phone is missing.' : `Unexpected column "${wrong}".`;
    throw new ImportError(
      `${problem} The first line must name each column once: ${LEAD_COLUMNS.join(', ')}.`,
    );
  }
  return [...header];
};

const createParser = () =>
  parse({
    bom: true,
    columns: checkHeader,
    info: true,
    max_record_size: MOST_CHARACTERS,
    skip_empty_lines: true,
    trim: true,
  });

/** Reads the rows of a file, a few at a time. */
export async function* readRows(path: string): AsyncGenerator<CsvRow, void> {
  const parser = createParser();
  // The loop over the parser throws the errors of both.
  pipeline(createReadStream(path), parser, () => {});
  for await (const { record, info } of parser as AsyncIterable<{
    record: Record<string, string>;
    info: InfoRecord & { readonly lines: number };
  }>) {
    yield { line: info.lines, record };
  }
}

/**
 * Reads the whole file once and checks that it is UTF-8 and that every row can be read, before anything is sent.
 *
 * @throws {@link ImportError} When the file cannot be imported.
 */
export const inspectCsv = async (path: string): Promise<CsvSummary> => {
  const hash = createHash('sha256');
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const parser = createParser();
  pipeline(
    createReadStream(path),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        decoder.decode(chunk, { stream: true });
        yield chunk;
      }
      decoder.decode();
    },
    parser,
    () => {},
  );
  let rows = 0;
  try {
    for await (const _ of parser) {
      rows += 1;
    }
  } catch (error) {
    const reason =
      error instanceof Error && 'code' in error && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
        ? 'It is not UTF-8. Save it as "CSV UTF-8".'
        : error instanceof Error
          ? error.message
          : String(error);
    throw new ImportError(`Cannot import ${path}: ${reason}`);
  }
  return { rows, digest: hash.digest('hex') };
};

/** Returns the lead of a row. Empty cells are left out. */
export const toLead = ({ record }: CsvRow): LeadCreate => {
  const cells = LEAD_COLUMNS.map((name) => [name, record[name] ?? ''] as const);
  // A row without a phone is refused by the client, which says so.
  return Object.fromEntries(cells.filter(([, value]) => value !== '')) as unknown as LeadCreate;
};
