import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import type { LeadCreate } from '@confab/client';
import { parse } from 'csv-parse';

/** A row of a CSV file: its cells, by column. */
export type Row = Readonly<Record<string, string>>;

const COLUMNS = ['phone', 'displayName', 'email', 'source', 'notes', 'pipelineId'];

const checkHeader = (header: string[]): string[] => {
  // The file of failed rows has one more column, and can be imported once it is corrected.
  const unknown = header.find((name) => ![...COLUMNS, 'reason'].includes(name));
  if (unknown !== undefined || !header.includes('phone')) {
    const problem = unknown === undefined ? 'There is no column phone.' : `Unknown column "${unknown}".`;
    throw new Error(`${problem} The first line must name the columns: ${COLUMNS.join(', ')}.`);
  }
  return header;
};

const checkRow = (row: Row, { records }: { records: number }): Row => {
  // Excel shows a long number so, and saves what it shows.
  if (/^\d[.,]?\d*E\+?\d+$/i.test(row.phone ?? '')) {
    throw new Error(
      `Row ${records} has the phone ${row.phone}, which Excel has rounded. Format the column as text, and export it again.`,
    );
  }
  return row;
};

/** Reads the rows of a file, a few at a time. */
export const readRows = (path: string): AsyncIterable<Row> => {
  const parser = parse({
    bom: true,
    columns: checkHeader,
    // A longer row is probably a quote that was never closed: it would read the rest of the file into memory.
    max_record_size: 65_536,
    on_record: checkRow,
    skip_empty_lines: true,
    trim: true,
  });
  const checkEncoding = async function* (texts: AsyncIterable<string>) {
    let bytes = 0;
    for await (const text of texts) {
      // What is not UTF-8, or was lost in an earlier conversion, is read as U+FFFD.
      const [valid = ''] = text.split('\uFFFD', 1);
      bytes += Buffer.byteLength(valid);
      if (valid !== text) {
        throw new Error(`It is not UTF-8: see byte ${bytes}. Save it as "CSV UTF-8".`);
      }
      yield text;
    }
  };
  // Whoever reads from the parser gets the errors of all three.
  pipeline(createReadStream(path, 'utf8'), checkEncoding, parser, () => {});
  return parser;
};

/** Returns the lead of a row. Empty cells are left out; without a phone, the client refuses the row. */
export const toLead = (row: Row): LeadCreate => {
  const cells = COLUMNS.map((name) => [name, row[name] ?? '']).filter(([, value]) => value !== '');
  return Object.fromEntries(cells) as LeadCreate;
};
