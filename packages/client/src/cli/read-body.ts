import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { UsageError } from '@confab/internal/cli';
import type { Io } from './io.ts';

/** The most bytes of a file with a body. A device such as /dev/zero never ends. */
const MOST_BYTES = 10 * 1_024 * 1_024;

const textOf = async (source: string, io: Io): Promise<string> => {
  if (source === '-') {
    return io.stdin();
  }
  if (!source.startsWith('@')) {
    return source;
  }
  const path = source.slice(1);
  let bytes: Buffer;
  try {
    bytes = await buffer(createReadStream(path, { end: MOST_BYTES }));
  } catch (error) {
    throw new UsageError(`Cannot read ${path}: ${error instanceof Error ? error.message : error}`);
  }
  if (bytes.length > MOST_BYTES) {
    throw new UsageError(`${path} has more than 10 MiB, which no body needs.`);
  }
  return bytes.toString();
};

/** Says where the text of `--data` comes from. The text itself may be long, and personal. */
const nameOf = (source: string): string => {
  if (source === '-') {
    return 'Standard input';
  }
  return source.startsWith('@') ? source.slice(1) : '--data';
};

/**
 * Reads the body that `--data` gives: JSON, `@` and the name of a file, or `-` for standard input.
 *
 * @throws {@link UsageError} When it is unreadable, or not a JSON object.
 */
export const readBody = async (source: string, io: Io): Promise<Record<string, unknown>> => {
  const text = await textOf(source, io);
  let body: unknown;
  try {
    // Some editors write a byte order mark, which JSON does not allow.
    body = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    throw new UsageError(
      `${nameOf(source)} must contain a JSON object, such as '{"phone":"+442079460958"}', or pass --data @FILE to read a file.`,
    );
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new UsageError(
      `${nameOf(source)} must contain a JSON object, got ${Array.isArray(body) ? 'an array. Run the command once per item' : JSON.stringify(body)}.`,
    );
  }
  return body as Record<string, unknown>;
};
