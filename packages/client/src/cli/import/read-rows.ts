import { pipeline } from 'node:stream';
import { UsageError } from '@confab/internal/cli';
import { CsvError, parse } from 'csv-parse';
import type { LeadCreate } from '../../contract/index.ts';
import type { Columns } from './columns.ts';
import { findColumns, isKnown } from './columns.ts';

/** A row of a file. */
export interface Row {
  /** Line of the file on which it ends. */
  readonly line: number;
  /** Its values, by column. */
  readonly record: Readonly<Record<string, unknown>>;
  /** The fields that are not empty. The client refuses a row without a phone. */
  readonly lead: LeadCreate;
}

/** The format of the file; the file of failed rows uses the same. */
export interface Format {
  /** Undefined for JSON Lines. */
  readonly delimiter: string | undefined;
  /** The columns; for JSON Lines, those of the first line. */
  readonly names: readonly string[];
}

/** Characters of a row. A longer one is probably a quote that was never closed, which would fill the memory. */
const MAX_ROW = 65_536;

const lineBreaks = (text: string): number => text.match(/\r\n|\r|\n/g)?.length ?? 0;

/** Excel's "Unicode text" begins with the mark of UTF-16. */
const encodingOf = ([first, second]: Uint8Array): string =>
  first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';

/** @throws {@link UsageError} When a text is in another encoding. */
const decode = async function* (
  bytes: AsyncIterable<Uint8Array>,
  encoding: string | undefined,
): AsyncGenerator<string, void> {
  let decoder: TextDecoder | undefined;
  let line = 1;
  const checked = (text: string, { encoding: name }: TextDecoder): string => {
    // What is not of the encoding, or was lost in an earlier conversion, is read as U+FFFD.
    const wrong = /[\0\uFFFD]/.exec(text);
    if (wrong) {
      const other = wrong[0] === '\0' ? 'utf-16le' : 'windows-1252';
      throw new UsageError(
        `Line ${line + lineBreaks(text.slice(0, wrong.index))} is not ${name.toUpperCase()}. Save the file as "CSV UTF-8", or pass its encoding, such as --encoding ${other}.`,
      );
    }
    line += lineBreaks(text);
    return text;
  };
  for await (const chunk of bytes) {
    decoder ??= new TextDecoder(encoding ?? encodingOf(chunk));
    yield checked(decoder.decode(chunk, { stream: true }), decoder);
  }
  if (decoder) {
    yield checked(decoder.decode(), decoder);
  }
};

/** Reads on until the first line is complete, and returns it with everything that was read. */
const readHead = async (texts: AsyncIterator<string, void>) => {
  for (let text = ''; ; ) {
    const next = await texts.next();
    text += next.value ?? '';
    const [, line = ''] = /^\s*(\S.*?)[\r\n]/.exec(text) ?? [];
    if (next.done || line !== '' || text.length > MAX_ROW) {
      return { text, line: line || text.trim() };
    }
  }
};

const DELIMITERS = [',', ';', '\t'];

/**
 * Returns the delimiter that Excel was told by `sep=;`, or the one that finds the most known columns in a header. Names may
 * contain the others: `Price (with tax, in EUR);Phone`.
 */
const delimiterOf = (line: string, map: Columns): string => {
  const rank = (delimiter: string): number => {
    const names = line.split(delimiter).map((name) => name.replace(/^\s*"|"\s*$/g, '').trim());
    return names.filter((name) => isKnown(name, map)).length + names.length / MAX_ROW;
  };
  return /^"?sep=(.)/.exec(line)?.[1] ?? DELIMITERS.toSorted((a, b) => rank(b) - rank(a))[0] ?? ',';
};

/** Returns the records of a JSON Lines file. */
const parseLines = async function* (texts: AsyncIterable<string>): AsyncGenerator<Omit<Row, 'lead'>, void> {
  let line = 0;
  let rest = '';
  for await (const text of texts) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MAX_ROW) {
      throw new UsageError(`Line ${line + lines.length + 1} is longer than ${MAX_ROW} characters.`);
    }
    for (const json of lines) {
      line += 1;
      if (json.trim() !== '') {
        yield { line, record: readObject(json, line) };
      }
    }
  }
  if (rest.trim() !== '') {
    yield { line: line + 1, record: readObject(rest, line + 1) };
  }
};

const readObject = (json: string, line: number): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return { ...value };
    }
  } catch {
    // The message of the runtime quotes the text.
  }
  throw new UsageError(`Line ${line} is not a JSON object.`);
};

/** Returns the records of a CSV file. */
const parseCsv = async function* (
  texts: AsyncIterable<string>,
  delimiter: string,
  firstLine: number,
  onHeader: (names: readonly string[]) => void,
): AsyncGenerator<Omit<Row, 'lead'>, void> {
  const parser = parse({
    columns(names: string[]) {
      onHeader(names);
      return names;
    },
    delimiter,
    from_line: firstLine,
    info: true,
    max_record_size: MAX_ROW,
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
      yield { line: info.lines, record };
    }
  } catch (error) {
    throw error instanceof CsvError ? new UsageError(`${error.message}.`.replace(/\.\.$/, '.')) : error;
  }
};

/** Excel writes long numbers as 5.5E+12 and loses their digits. */
const ROUNDED = /^\d[.,]?\d*E\+?\d+$/i;

/** Removes the apostrophe that protects a cell of a file of failed rows from Excel. */
const unprotected = (cell: unknown): unknown =>
  typeof cell === 'string' ? cell.replace(/^'(?=[=+\-@])/, '') : cell;

const toLead = ({ line, record }: Omit<Row, 'lead'>, columns: Columns): LeadCreate => {
  const fields = [...columns].map(([field, column]) => [field, unprotected(record[column])] as const);
  const lead = Object.fromEntries(fields.filter(([, value]) => value !== '' && value !== undefined));
  if (ROUNDED.test(String(lead.phone))) {
    throw new UsageError(
      `Line ${line} has the phone ${lead.phone}, which Excel has rounded. Format the column as text, and export it again.`,
    );
  }
  return lead as unknown as LeadCreate;
};

/** How to read a file. */
export interface ReadOptions {
  readonly encoding: string | undefined;
  /** Columns that were given, by field. */
  readonly map: Columns;
  /** Called with what the first line says, before the first row. */
  readonly onFormat: (format: Format, columns: Columns) => void;
}

/**
 * Reads the rows of a CSV or JSON Lines file, a few at a time.
 *
 * @throws {@link UsageError} When the file cannot be read as what it seems to be. It names the line.
 */
export const readRows = async function* (
  bytes: AsyncIterable<Uint8Array>,
  { encoding, map, onFormat }: ReadOptions,
): AsyncGenerator<Row, void> {
  const texts = decode(bytes, encoding);
  const head = await readHead(texts);
  const all = async function* () {
    yield head.text;
    yield* texts;
  };
  if (head.line === '') {
    throw new UsageError('It is empty.');
  }
  const delimiter = head.line.startsWith('{') ? undefined : delimiterOf(head.line, map);
  // After `sep=;`.
  const firstLine = /^"?sep=/.test(head.line) ? 2 : 1;
  let columns: Columns | undefined;
  const onNames = (line: number, names: readonly string[]): Columns => {
    const found = findColumns({ line, names, isComplete: delimiter !== undefined }, map);
    if (columns === undefined) {
      onFormat({ delimiter, names }, found);
    }
    columns = found;
    return found;
  };
  const records =
    delimiter === undefined
      ? parseLines(all())
      : parseCsv(all(), delimiter, firstLine, (names) => onNames(firstLine, names));
  for await (const { line, record } of records) {
    // Each line of JSON has names of its own.
    const known = delimiter === undefined ? undefined : columns;
    yield { line, record, lead: toLead({ line, record }, known ?? onNames(line, Object.keys(record))) };
  }
};
