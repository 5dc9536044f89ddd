import { WebhookError } from '../errors/webhook-error.ts';
import { concatBytes } from './concat-bytes.ts';
import { type BodyRules, bodyTooLarge, RAW_BODY_HINT, rawBody } from './raw-body.ts';
import { type Bytes, encodeText } from './to-bytes.ts';

const asBytes = (body: Bytes | string): Bytes => (typeof body === 'string' ? encodeText(body) : body);

const isStream = (body: unknown): body is AsyncIterable<unknown> =>
  typeof body === 'object' && body !== null && Symbol.asyncIterator in body;

const readStream = async (stream: AsyncIterable<unknown>, rules: BodyRules): Promise<Bytes> => {
  const chunks: Bytes[] = [];
  let length = 0;
  for await (const chunk of stream) {
    const bytes = asBytes(rawBody(chunk, rules));
    length += bytes.byteLength;
    if (length > rules.maxBodyBytes) throw bodyTooLarge(rules.maxBodyBytes);
    chunks.push(bytes);
  }
  return concatBytes(chunks);
};

/**
 * The bytes of a body in memory or in a stream. Reading stops with the chunk that passes the limit.
 *
 * @throws WebhookError `BODY_NOT_RAW`, `BODY_TOO_LARGE` or `INVALID_ENCODING`.
 */
export const readBody = async (body: unknown, rules: BodyRules): Promise<Bytes> => {
  if (body === null) return new Uint8Array();
  if (!isStream(body)) return asBytes(rawBody(body, rules));
  try {
    return await readStream(body, rules);
  } catch (cause) {
    if (cause instanceof WebhookError) throw cause;
    throw new WebhookError(
      'BODY_NOT_RAW',
      `The body could not be read to its end: the sender went away, or something else reads it too. ${rules.hint ?? RAW_BODY_HINT}`,
      { cause },
    );
  }
};

/**
 * Refuses a body that announces itself as too large, before any of it is read.
 *
 * @throws WebhookError `BODY_TOO_LARGE`.
 */
export const checkContentLength = (contentLength: string | undefined, maxBodyBytes: number): void => {
  if (Number(contentLength) > maxBodyBytes) throw bodyTooLarge(maxBodyBytes);
};
