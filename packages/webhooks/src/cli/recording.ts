import { appendFile, stat } from 'node:fs/promises';
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { UsageError } from '@confab/internal/cli';
import { messageOf } from './describe.ts';
import type { HeaderLines } from './flags.ts';

/** A delivery in a recording, which has one of them as JSON in each line. */
interface RecordedDelivery {
  /** When it arrived, as an ISO 8601 date-time. */
  readonly receivedAt: string;
  readonly headers: HeaderLines;
  /** The bytes, in base64. */
  readonly body: string;
}

/** A line of a recording. Without a delivery, the line is cut off. */
interface RecordedLine {
  /** The number of the line, from 1. */
  readonly number: number;
  readonly delivery: RecordedDelivery | undefined;
}

/** Only the user may read a recording: deliveries hold what people wrote. */
const PRIVATE = 0o600;

const appendTo = async (file: string, text: string): Promise<void> => {
  try {
    await appendFile(file, text, { mode: PRIVATE });
  } catch (error) {
    throw new UsageError(`Cannot write ${file}: ${messageOf(error)}`);
  }
};

/**
 * Creates a recording if it does not exist. Otherwise starts a new line, because a process that was killed may have left
 * half a line. Readers skip empty lines.
 *
 * @throws {@link UsageError} When the file is not writable, or is not a regular file. Opening a FIFO would wait until
 * something reads it.
 */
export const openRecording = async (file: string): Promise<void> => {
  // A file that does not exist is new; appendTo() reports any other problem.
  const existing = await stat(file).catch(() => undefined);
  if (existing?.isFile() === false) {
    throw new UsageError(`Cannot write ${file}: it is not a regular file. Pass another name to --record.`);
  }
  await appendTo(file, existing?.size ? '\n' : '');
};

/** Adds a delivery to a recording. */
export const record = (file: string, headers: HeaderLines, body: Uint8Array): Promise<void> => {
  const receivedAt = new Date().toISOString();
  const delivery: RecordedDelivery = { receivedAt, headers, body: Buffer.from(body).toString('base64') };
  return appendTo(file, `${JSON.stringify(delivery)}\n`);
};

const isHeaderLines = (headers: unknown): headers is HeaderLines =>
  Array.isArray(headers) &&
  headers.every(
    (line) => Array.isArray(line) && line.length === 2 && line.every((text) => typeof text === 'string'),
  );

/** Checks that a line of JSON is a delivery that HTTP can carry. Throws if it is not. */
const checkDelivery = (value: unknown): RecordedDelivery => {
  const { headers, body } = (value ?? {}) as Partial<RecordedDelivery>;
  if (typeof body !== 'string' || !isHeaderLines(headers)) {
    throw new Error('it is not a delivery that "listen --record" wrote');
  }
  for (const [name, text] of headers) {
    validateHeaderName(name);
    validateHeaderValue(name, text);
  }
  if (Buffer.from(body, 'base64').toString('base64') !== body) {
    throw new Error('its body is not base64');
  }
  return value as RecordedDelivery;
};

const readLine = (file: string, line: string, number: number): RecordedLine => {
  try {
    return { number, delivery: checkDelivery(JSON.parse(line)) };
  } catch (error) {
    if (error instanceof SyntaxError && line.startsWith('{')) {
      return { number, delivery: undefined };
    }
    throw new UsageError(`Line ${number} of ${file} is invalid: ${messageOf(error)}.`);
  }
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
