import { readRateLimit } from '../rate-limit/response-headers.ts';
import type { Redact } from '../secrecy/redact.ts';
import type { Clock } from '../time/clock.ts';
import type { TimeLimit } from '../time/time-limit.ts';
import type { ReceivedOutcome } from './outcome.ts';

/** Characters to keep of a body that is too large: enough for a message, although redaction leaves out the end. */
const MAX_OVERSIZED_TEXT = 4_000;

/**
 * Reads a body as UTF-8, and stops as soon as it is larger than `maxBytes`. Bytes are counted after decompression: a few
 * kilobytes of gzip can expand to gigabytes.
 *
 * @returns The text, or only its beginning when the body is larger than allowed.
 */
export const readBody = async (
  response: Response,
  maxBytes: number,
  onStop: TimeLimit['onStop'],
): Promise<{ readonly text: string; readonly isComplete: boolean }> => {
  // Some runtimes and substitutes for `Response` have no readable stream.
  const reader = typeof TextDecoder === 'function' ? response.body?.getReader?.() : undefined;
  if (reader === undefined) {
    const text = await response.text();
    const isComplete = new Blob([text]).size <= maxBytes;
    return { text: isComplete ? text : text.slice(0, MAX_OVERSIZED_TEXT), isComplete };
  }
  // Not awaited: some streams never finish being canceled.
  const cancel = () => void reader.cancel().catch(() => {});
  // A user's `fetch` may ignore its signal, and its body would keep the connection.
  onStop(cancel);
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      return { text: text + decoder.decode(), isComplete: true };
    }
    size += value.byteLength;
    if (size > maxBytes) {
      cancel();
      text += decoder.decode(value.subarray(0, MAX_OVERSIZED_TEXT));
      return { text: text.slice(0, MAX_OVERSIZED_TEXT), isComplete: false };
    }
    text += decoder.decode(value, { stream: true });
  }
};

/**
 * Converts a response to plain data.
 *
 * @param text Undefined when the body was cut off.
 */
export const toOutcome = (
  response: Response,
  text: string | undefined,
  redact: Redact,
  clock: Clock,
): ReceivedOutcome => {
  const { status, type } = response;
  // One search of all headers is enough for most responses.
  const entries = [...response.headers];
  const all = entries.join('\n');
  const isClean = redact(all) === all;
  const headers: Record<string, string> = {};
  for (const [name, value] of entries) {
    if (name !== 'set-cookie') {
      headers[isClean ? name : redact(name)] = isClean ? value : redact(value);
    }
  }
  // A user's `fetch` may have followed a redirect. Browsers hide one that was not followed behind the status 0.
  const redirected =
    response.redirected || type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== 304);
  let body: unknown;
  try {
    body = text === undefined ? undefined : JSON.parse(text);
  } catch {
    // The code that needs the data reports that it is missing.
  }
  // 408: the service stopped waiting for the rest of a request, but may have acted on what it had read. Any other status
  // from 300 to 499 refuses the request.
  const mayHaveActed = !redirected && (status < 300 || status === 408 || status >= 500);
  const isFromApi = typeof Object(body).success === 'boolean';
  const rateLimit = readRateLimit(headers, clock);
  return {
    kind: 'response',
    mayHaveActed,
    status,
    redirected,
    headers,
    text,
    body,
    isFromApi,
    rateLimit,
    redact,
  };
};

/** Recognizes responses by their methods, because some substitutes for `fetch` have a `Response` of their own. */
export const isResponse = (value: unknown): value is Response => {
  const { text, headers } = Object(value);
  return typeof text === 'function' && Symbol.iterator in Object(headers);
};
