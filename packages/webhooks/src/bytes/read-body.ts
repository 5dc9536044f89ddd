import { WebhookError } from '../errors/webhook-error.ts';
import { concatBytes } from './concat-bytes.ts';
import { isWellFormed } from './is-well-formed.ts';
import { type Bytes, toBytes } from './to-bytes.ts';

/** How many bytes a body may have, and what to say when it is not raw. */
export interface ReadOptions {
  readonly maxBodyBytes: number;
  /** What to change in this framework so that the raw body arrives. */
  readonly hint?: string | undefined;
}

const HINT = 'Pass the bytes or the text that arrived, before anything parses them.';

const tooLarge = (maxBodyBytes: number) =>
  new WebhookError(
    'body_too_large',
    `The body is larger than the ${maxBodyBytes} bytes of maxBodyBytes. Reading stopped there.`,
  );

const kindOf = (body: unknown) => {
  if (body === null || body === undefined) return String(body);
  return typeof body === 'object'
    ? `an object (${body.constructor?.name ?? 'no class'})`
    : `a ${typeof body}`;
};

/**
 * The bytes of a body that is in memory.
 *
 * @throws WebhookError `body_not_raw`, `body_too_large` or `invalid_encoding`.
 */
export const rawBytes = (body: unknown, { maxBodyBytes, hint = HINT }: ReadOptions): Bytes => {
  // A character takes at least a byte: no need to encode a text that is too long in any case.
  if (typeof body === 'string' && body.length > maxBodyBytes) throw tooLarge(maxBodyBytes);
  if (typeof body === 'string' && !isWellFormed(body)) {
    throw new WebhookError(
      'invalid_encoding',
      'The body is a string with a lone surrogate, which no UTF-8 bytes decode to. Pass the bytes that arrived.',
    );
  }
  const bytes = toBytes(body);
  if (bytes === undefined) {
    throw new WebhookError(
      'body_not_raw',
      `The body is ${kindOf(body)}, so the bytes that were signed are gone. ${hint}`,
    );
  }
  if (bytes.byteLength > maxBodyBytes) throw tooLarge(maxBodyBytes);
  return bytes;
};

const isStream = (body: unknown): body is AsyncIterable<Uint8Array> =>
  typeof body === 'object' && body !== null && Symbol.asyncIterator in body;

/**
 * The bytes of a body in memory or in a stream, of which no more than `maxBodyBytes` and one chunk are read.
 *
 * @throws WebhookError `body_not_raw`, `body_too_large` or `invalid_encoding`.
 */
export const readBody = async (body: unknown, options: ReadOptions): Promise<Bytes> => {
  if (body === null) return new Uint8Array();
  if (!isStream(body)) return rawBytes(body, options);
  const chunks: Bytes[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      const bytes = rawBytes(chunk, options);
      length += bytes.byteLength;
      if (length > options.maxBodyBytes) throw tooLarge(options.maxBodyBytes);
      chunks.push(bytes);
    }
  } catch (cause) {
    if (cause instanceof WebhookError) throw cause;
    throw new WebhookError(
      'body_not_raw',
      `The body could not be read to its end: something else reads it, or the sender went away. ${options.hint ?? HINT}`,
      { cause },
    );
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : concatBytes(chunks);
};

/**
 * Refuses a body that announces itself as too large, before any of it is read.
 *
 * @throws WebhookError `body_too_large`.
 */
export const checkContentLength = (contentLength: string | undefined, maxBodyBytes: number): void => {
  if (Number(contentLength) > maxBodyBytes) throw tooLarge(maxBodyBytes);
};
