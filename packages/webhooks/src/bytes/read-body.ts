import { createGrowingBuffer } from '@confab/internal';
import { RETRY, WebhookError } from '../errors/webhook-error.ts';
import type { BodyRules } from './raw-body.ts';
import { bodyTooLarge, RAW_BODY_HINT, rawBody } from './raw-body.ts';
import type { Bytes } from './to-bytes.ts';
import { toBytes } from './to-bytes.ts';

/** {@link BodyRules} for a body that may still be arriving. */
export interface ReadRules extends BodyRules {
  /** The value of `Content-Length`, already checked against the limit. */
  readonly announcedBytes?: number | undefined;
}

const isStream = (body: unknown): body is AsyncIterable<unknown> => Symbol.asyncIterator in Object(body);

const open = (
  stream: AsyncIterable<unknown>,
  { hint = RAW_BODY_HINT }: ReadRules,
): AsyncIterable<unknown> => {
  try {
    const iterator = stream[Symbol.asyncIterator]();
    return { [Symbol.asyncIterator]: () => iterator };
  } catch (cause) {
    throw new WebhookError('BODY_NOT_RAW', `Something else is reading the body. ${hint}`, {
      cause,
    });
  }
};

const readStream = async (stream: AsyncIterable<unknown>, rules: ReadRules): Promise<Bytes> => {
  const buffer = createGrowingBuffer(rules.maxBodyBytes, rules.announcedBytes);
  for await (const chunk of stream) {
    if (!buffer.append(toBytes(rawBody(chunk, rules)) as Bytes)) {
      throw bodyTooLarge(rules.maxBodyBytes);
    }
  }
  return buffer.bytes();
};

/**
 * Reads a body from memory or from a stream. Reading stops at the chunk that exceeds the limit.
 *
 * @throws {@link WebhookError} When that fails, with `code: 'BODY_NOT_RAW'`, `'BODY_ABORTED'`, `'BODY_TOO_LARGE'` or
 * `'INVALID_ENCODING'`.
 */
export const readBody = async (body: unknown, rules: ReadRules): Promise<Bytes> => {
  if (body === null) {
    return new Uint8Array();
  }
  if (!isStream(body)) {
    return toBytes(rawBody(body, rules)) as Bytes;
  }
  const stream = open(body, rules);
  try {
    return await readStream(stream, rules);
  } catch (cause) {
    if (cause instanceof WebhookError) {
      throw cause;
    }
    throw new WebhookError('BODY_ABORTED', `The connection closed before the whole body arrived. ${RETRY}`, {
      cause,
    });
  }
};

/**
 * Parses `Content-Length`. Returns `undefined` if it is missing or not a number.
 *
 * @throws {@link WebhookError} When it exceeds the limit, before anything is read, with `code: 'BODY_TOO_LARGE'`.
 */
export const announcedBytes = (
  contentLength: string | null | undefined,
  maxBodyBytes: number,
): number | undefined => {
  const bytes = Number(contentLength);
  if (bytes > maxBodyBytes) {
    throw bodyTooLarge(maxBodyBytes);
  }
  return Number.isSafeInteger(bytes) ? bytes : undefined;
};
