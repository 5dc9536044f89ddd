import { appendFile, open, readFile, stat } from 'node:fs/promises';
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { UsageError } from '@confab/internal/cli';
import type { HeaderLines } from './post.ts';

/** A delivery in a recording, which has one of them as JSON in each line. */
interface RecordedDelivery {
  /** When it arrived, as an ISO 8601 date-time. */
  readonly receivedAt: string;
  readonly headers: HeaderLines;
  /** The bytes, in base64. */
  readonly body: string;
}

const unreadable = (file: string, error: unknown): UsageError =>
  new UsageError(`Cannot read ${file}: ${error instanceof Error ? error.message : error}`);

/** Only the user may read a recording: deliveries hold what people wrote. */
const PRIVATE = 0o600;

/**
 * Adds text to a recording, and creates the file if it does not exist.
 *
 * @throws {@link UsageError} When the file is not writable.
 */
const appendTo = async (file: string, text: string): Promise<void> => {
  try {
    await appendFile(file, text, { mode: PRIVATE });
  } catch (error) {
    throw new UsageError(`Cannot write ${file}: ${error instanceof Error ? error.message : error}`);
  }
};

/** Whether new text would start a line: a process that was killed may have left half of one. */
const endsLine = async (file: string): Promise<boolean> => {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    if (size === 0) {
      return true;
    }
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
    return buffer.toString() === '\n';
  } finally {
    await handle.close();
  }
};

/**
 * Creates a recording if it does not exist, and ends its last line.
 *
 * @throws {@link UsageError} When the file is not readable and writable, or is not a regular file. Opening a FIFO would
 * wait until something reads it.
 */
export const openRecording = async (file: string): Promise<void> => {
  // A file that does not exist is new; appendTo() reports any other problem.
  const existing = await stat(file).catch(() => undefined);
  if (existing?.isFile() === false) {
    throw new UsageError(`Cannot write ${file}: it is not a regular file. Pass another name to --record.`);
  }
  await appendTo(file, '');
  try {
    if (await endsLine(file)) {
      return;
    }
  } catch (error) {
    throw unreadable(file, error);
  }
  await appendTo(file, '\n');
};

/** Adds a delivery to a recording. */
export const record = (file: string, headers: HeaderLines, body: Uint8Array): Promise<void> => {
  const delivery: RecordedDelivery = {
    receivedAt: new Date().toISOString(),
    headers,
    body: Buffer.from(body).toString('base64'),
  };
  return appendTo(file, `${JSON.stringify(delivery)}\n`);
};

const isRecorded = (value: unknown): value is RecordedDelivery => {
  const { headers, body } = (value ?? {}) as Partial<RecordedDelivery>;
  return (
    typeof body === 'string' &&
    Array.isArray(headers) &&
    headers.every(
      (line) => Array.isArray(line) && line.length === 2 && line.every((text) => typeof text === 'string'),
    )
  );
};

const parseLine = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
};

const passes = (check: () => void): boolean => {
  try {
    check();
    return true;
  } catch {
    return false;
  }
};

/** Says what HTTP or the format does not allow in a delivery. */
const problemOf = ({ headers, body }: RecordedDelivery): string | undefined => {
  for (const [name, value] of headers) {
    if (!passes(() => validateHeaderName(name))) {
      return `has an invalid header name, ${JSON.stringify(name)}`;
    }
    if (!passes(() => validateHeaderValue(name, value))) {
      return `has an invalid value in the header "${name}"`;
    }
  }
  return Buffer.from(body, 'base64').toString('base64') === body
    ? undefined
    : 'has a body that is not base64';
};

/** A line of a recording. Without a delivery, the line is cut off. */
interface RecordedLine {
  /** The number of the line, from 1. */
  readonly number: number;
  readonly delivery: RecordedDelivery | undefined;
}

const readLine = (file: string, line: string, number: number): RecordedLine => {
  const delivery = parseLine(line);
  if (delivery === undefined && line.startsWith('{')) {
    return { number, delivery: undefined };
  }
  if (!isRecorded(delivery)) {
    throw new UsageError(`Line ${number} of ${file} is not a delivery that "listen --record" wrote.`);
  }
  const problem = problemOf(delivery);
  if (problem !== undefined) {
    throw new UsageError(`Line ${number} of ${file} ${problem}.`);
  }
  return { number, delivery };
};

/**
 * Parses the text of a recording. Lines that are cut off have no delivery.
 *
 * @throws {@link UsageError} When the text is empty, or has a line that is not a delivery.
 */
export const parseRecording = (file: string, text: string): RecordedLine[] => {
  // Editors may add a byte order mark, which is not JSON.
  const lines = text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .flatMap((line, index) => (line.trim() === '' ? [] : [readLine(file, line, index + 1)]));
  if (lines.length === 0) {
    throw new UsageError(`${file} contains no deliveries.`);
  }
  return lines;
};

/**
 * Reads a recording from a file.
 *
 * @throws {@link UsageError} When the file is unreadable, is empty, or has a line that is not a delivery.
 */
export const readRecording = async (file: string): Promise<RecordedLine[]> => {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw unreadable(file, error);
  }
  return parseRecording(file, text);
};
