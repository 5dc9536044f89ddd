import { appendFile, readFile } from 'node:fs/promises';
import { UsageError } from '@confab/internal/cli';
import type { HeaderLines } from './post.ts';

/** A delivery in a recording, which has one of them as JSON in each line. */
export interface RecordedDelivery {
  /** When it arrived, as an ISO 8601 date-time. */
  readonly receivedAt: string;
  readonly headers: HeaderLines;
  /** The bytes, in base64. */
  readonly body: string;
}

/** Only the user may read a recording: deliveries hold what people wrote. */
const PRIVATE = 0o600;

/**
 * Adds text to a recording, and creates the file if it does not exist.
 *
 * @throws {@link UsageError} When the file is not writable.
 */
export const appendTo = async (file: string, text: string): Promise<void> => {
  try {
    await appendFile(file, text, { mode: PRIVATE });
  } catch (error) {
    throw new UsageError(`Cannot write ${file}: ${error instanceof Error ? error.message : error}`);
  }
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

/**
 * Reads a recording.
 *
 * @throws {@link UsageError} When the file is unreadable, is empty, or has a line that is not a delivery.
 */
export const readRecording = async (file: string): Promise<RecordedDelivery[]> => {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(`Cannot read ${file}: ${error instanceof Error ? error.message : error}`);
  }
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) {
    throw new UsageError(`${file} contains no deliveries.`);
  }
  return lines.map((line, index) => {
    const delivery = parseLine(line);
    if (!isRecorded(delivery)) {
      throw new UsageError(`Line ${index + 1} of ${file} is not a delivery that "listen --record" wrote.`);
    }
    return delivery;
  });
};
