import { appendFile, stat } from 'node:fs/promises';
import { UsageError } from '@confab/internal/cli';
import type { Bytes } from '../body.ts';
import type { Header } from '../headers.ts';
import { decodeBase64 } from '../signature/encoding.ts';
import { describeError } from './describe.ts';

/** Only the user may read a recording, because deliveries contain personal data. */
const FILE_MODE = 0o600;

const appendTo = async (file: string, text: string): Promise<void> => {
  try {
    await appendFile(file, text, { mode: FILE_MODE });
  } catch (error) {
    throw new UsageError(`Cannot write ${file}: ${describeError(error)}`);
  }
};

/** Adds a delivery to a recording, as one line of JSON. */
export type Recorder = (headers: readonly Header[], body: Uint8Array) => Promise<void>;

/**
 * Opens a recording, and creates it if it does not exist. New deliveries follow a blank line, because the last line of an
 * existing recording is cut off if `listen` was killed while it wrote.
 *
 * @throws A {@link UsageError} when the file is not writable, or is not a regular file. Opening a FIFO would wait
 * until something reads it.
 */
export const openRecording = async (file: string): Promise<Recorder> => {
  // A file that does not exist is new; appendTo() reports any other problem.
  const existing = await stat(file).catch(() => undefined);
  if (existing?.isFile() === false) {
    throw new UsageError(
      `Cannot write ${file}: it is not a regular file. Pass a different name to --record.`,
    );
  }
  let written = appendTo(file, existing?.size ? '\n' : '');
  await written;
  return (headers, body) => {
    const receivedAt = new Date().toISOString();
    const delivery = { receivedAt, headers, body: Buffer.from(body).toString('base64') };
    const line = `${JSON.stringify(delivery)}\n`;
    // Lines are written one after the other, because a long one is written in pieces. If one failed, its end may be missing.
    written = written.then(
      () => appendTo(file, line),
      () => appendTo(file, `\n${line}`),
    );
    return written;
  };
};

/** A delivery to send again. The names of its headers are in lower case. */
interface RecordedDelivery {
  readonly headers: readonly Header[];
  readonly body: Bytes;
}

const readLine = (file: string, line: string, index: number): RecordedDelivery => {
  try {
    const { headers, body } = JSON.parse(line);
    // Both throw for values that HTTP or base64 does not allow.
    return { headers: [...new Headers(headers)], body: decodeBase64(body) };
  } catch {
    throw new UsageError(
      `Line ${index + 1} of ${file} is not a delivery that "listen --record" wrote. Remove that line to send the others.`,
    );
  }
};

/** The deliveries of a recording. */
interface Recording {
  readonly deliveries: readonly RecordedDelivery[];
  /** The number of the last line if it has no end, because `listen` was killed while it wrote. */
  readonly cutOffLine: number | undefined;
}

/**
 * Parses the text of a recording.
 *
 * @throws A {@link UsageError} when the text is empty, or has a line that is not a delivery.
 */
export const parseRecording = (file: string, text: string): Recording => {
  if (text.trim() === '') {
    throw new UsageError(`${file} contains no deliveries.`);
  }
  const lines = text.trimEnd().split(/\r?\n/);
  const isCutOff = !/[}\n]$/.test(text);
  return {
    deliveries: lines
      .slice(0, isCutOff ? -1 : undefined)
      .flatMap((line, index) => (line === '' ? [] : [readLine(file, line, index)])),
    cutOffLine: isCutOff ? lines.length : undefined,
  };
};
