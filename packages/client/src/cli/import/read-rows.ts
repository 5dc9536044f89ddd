import { pipeline } from 'node:stream';
import { UsageError } from '@confab/internal/cli';
import type { CsvErrorCode } from 'csv-parse';
import { CsvError, parse } from 'csv-parse';
import type { LeadCreate } from '../../contract/index.ts';
import { formatNumber } from '../print.ts';
import type { ColumnFlags, Columns } from './columns.ts';
import { findColumns, isKnown } from './columns.ts';

/** The format of a file; the file of failed rows uses the same. */
export interface Format {
  /** Undefined for JSON Lines, where each line has its own columns. */
  readonly delimiter: string | undefined;
  /** All columns. */
  readonly names: readonly string[];
  /** The columns to import. */
  readonly columns: Columns;
}

/** A row of a file. */
export interface Row {
  /** The line of the file on which the row ends. */
  readonly line: number;
  readonly format: Format;
  /** The values of the row, by column. */
  readonly record: Readonly<Record<string, unknown>>;
  /** The fields that are not empty. The client refuses a row without a phone. */
  readonly lead: LeadCreate;
}

/** How to read a file. */
export interface ReadOptions extends ColumnFlags {
  readonly encoding?: string;
}

/**
 * Maximum number of characters of a row. In a longer one, a quote was probably never closed, which would fill memory.
 */
const MAX_ROW = 65_536;

/** Recognizes Excel's "Unicode text", which begins with the byte order mark of UTF-16. */
const detectEncoding = ([first, second]: Uint8Array): string =>
  first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';

/** @throws A {@link UsageError} when the text is in a different encoding. */
const decode = async function* (
  bytes: AsyncIterable<Uint8Array>,
  encoding: string | undefined,
): AsyncGenerator<string, void> {
  let decoder: TextDecoder | undefined;
  let line = 1;
  const read = (chunk?: Uint8Array): string => {
    decoder ??= new TextDecoder(encoding ?? detectEncoding(chunk ?? new Uint8Array()));
    const text = decoder.decode(chunk, { stream: chunk !== undefined });
    // Bytes that are invalid in the encoding, or were lost in an earlier conversion, are read as U+FFFD.
    const [valid = '', other] = text.split(/([\0\uFFFD])/, 2);
    line += valid.match(/\r\n|\r|\n/g)?.length ?? 0;
    if (other !== undefined) {
      throw new UsageError(
        `Line ${line} is not ${decoder.encoding.toUpperCase()}. Save the file as "CSV UTF-8", or pass its encoding, such as --encoding ${other === '\0' ? 'utf-16le' : 'windows-1252'}.`,
      );
    }
    return text;
  };
  for await (const chunk of bytes) {
    yield read(chunk);
  }
  yield read();
};

/** Reads until the first line is complete, and returns everything that was read. */
const readHead = async (texts: AsyncIterator<string, void>): Promise<string> => {
  for (let head = ''; ; ) {
    const { value } = await texts.next();
    head += value ?? '';
    if (value === undefined || /\S.*[\r\n]/.test(head) || head.length > MAX_ROW) {
      return head;
    }
  }
};

const DELIMITERS = [',', ';', '\t'];

/** A delimiter for JSON Lines, which never splits a line: JSON must escape this character. */
const NO_DELIMITER = '\u001F';

/**
 * Returns the delimiter of a line such as `sep=;`, which Excel understands, or the one that finds the most known
 * columns in a header. Column names may contain other delimiters: `Price (with tax, in EUR);Phone`.
 */
const detectDelimiter = (line: string, flags: ColumnFlags): string => {
  const rank = (delimiter: string): number => {
    const names = line.split(delimiter).map((name) => name.replace(/^\s*"|"\s*$/g, '').trim());
    return names.filter((name) => isKnown(name, flags)).length + names.length / MAX_ROW;
  };
  return /^"?sep=(.)/.exec(line)?.[1] ?? DELIMITERS.toSorted((a, b) => rank(b) - rank(a))[0] ?? ',';
};

/** Matches a long number that Excel has rounded, such as 5.5E+12. */
const ROUNDED = /^\d[.,]?\d*E\+?\d+$/i;

/** Removes the apostrophe that protects a cell of a file of failed rows from Excel. */
const unprotectCell = (cell: unknown): unknown =>
  typeof cell === 'string' ? cell.replace(/^'(?=[=+\-@])/, '') : cell;

const toRow = (line: number, format: Format, record: Row['record']): Row => {
  const fields = [...format.columns].map(
    ([field, column]) => [field, unprotectCell(record[column])] as const,
  );
  const lead = Object.fromEntries(fields.filter(([, value]) => value !== '' && value !== undefined));
  if (ROUNDED.test(String(lead.phone))) {
    throw new UsageError(
      `Line ${line} has the phone number ${lead.phone}, which Excel has rounded. Format the column as text, and export it again.`,
    );
  }
  return { line, format, record, lead: lead as unknown as LeadCreate };
};

const readObject = (json: string, line: number): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return { ...value };
    }
  } catch {
    // The runtime's error message would quote the text.
  }
  throw new UsageError(`Line ${line} is not a JSON object.`);
};

/** @param from The line after the last complete row. Empty lines may follow before the row that the parser refused. */
const describeCsvError = (
  { code, lines, index }: CsvError,
  from: number,
  delimiter: string | undefined,
): string | undefined => {
  const innerQuote = `Line ${lines} has a quote within a cell. Quote the whole cell and double the quote, as in "5"" pipe", or close an earlier quote.`;
  const texts: Partial<Record<CsvErrorCode, string>> = {
    CSV_QUOTE_NOT_CLOSED: `A quote that opens on line ${from} or later is never closed.`,
    CSV_MAX_RECORD_SIZE: `A row that begins on line ${from} or later has more than ${formatNumber(MAX_ROW)} bytes. Is a quote in it never closed?`,
    CSV_RECORD_INCONSISTENT_FIELDS_LENGTH:
      delimiter === undefined
        ? `Line ${lines} is not a JSON object.`
        : `Line ${lines} has ${index} cells, more than the header has. Quote each cell that contains ${JSON.stringify(delimiter)}.`,
    CSV_INVALID_CLOSING_QUOTE: innerQuote,
    CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: innerQuote,
    INVALID_OPENING_QUOTE: innerQuote,
  };
  return texts[code];
};

/** Reads each line and its cells. The parser reads JSON Lines as a file with one column and no quotes. */
const readCells = async function* (
  texts: AsyncIterable<string>,
  delimiter: string | undefined,
  from: number,
) {
  let next = from;
  const parser = parse({
    delimiter: delimiter ?? NO_DELIMITER,
    from_line: from,
    info: true,
    max_record_size: MAX_ROW,
    // The parser reads ahead, and the loop below loses the rows before an error.
    on_record: (row, { lines }) => {
      next = lines + 1;
      return row;
    },
    quote: delimiter === undefined ? false : '"',
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count_less: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    trim: true,
  });
  // Errors of the whole pipeline surface in the loop over the parser.
  pipeline(texts, parser, () => {});
  try {
    for await (const { record, info } of parser) {
      yield { line: info.lines as number, cells: record as string[] };
    }
  } catch (error) {
    const problem = error instanceof CsvError ? describeCsvError(error, next, delimiter) : undefined;
    throw problem === undefined ? error : new UsageError(problem);
  }
};

/**
 * Reads the rows of a CSV or JSON Lines file, a few at a time.
 *
 * @throws A {@link UsageError} when the file is invalid. The message names the line.
 */
export const readRows = async function* (
  bytes: AsyncIterable<Uint8Array>,
  options: ReadOptions,
): AsyncGenerator<Row, void> {
  const texts = decode(bytes, options.encoding);
  const head = await readHead(texts);
  const all = async function* () {
    yield head;
    yield* texts;
  };
  const [first = ''] = head.trimStart().split(/[\r\n]/, 1);
  const delimiter = first.startsWith('{') ? undefined : detectDelimiter(first, options);
  let format: Format | undefined;
  for await (const { line, cells } of readCells(all(), delimiter, /^"?sep=/.test(first) ? 2 : 1)) {
    if (delimiter === undefined) {
      const record = readObject(cells.join(), line);
      const names = Object.keys(record);
      format = { delimiter, names, columns: findColumns({ line, names, isComplete: false }, options) };
      yield toRow(line, format, record);
    } else if (format === undefined) {
      format = {
        delimiter,
        names: cells,
        columns: findColumns({ line, names: cells, isComplete: true }, options),
      };
    } else {
      const { names } = format;
      yield toRow(line, format, Object.fromEntries(names.map((name, index) => [name, cells[index]])));
    }
  }
  if (format === undefined) {
    throw new UsageError('It is empty.');
  }
};
