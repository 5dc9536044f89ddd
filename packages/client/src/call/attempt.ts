import { typeName } from '@confab/internal';
import { MiddlewareFailure } from '../errors/middleware-failure.ts';
import type { AttemptEvent } from '../hooks/events.ts';
import type { ClientSettings } from '../options/resolve-options.ts';
import { readRateLimit } from '../rate-limit/headers.ts';
import type { Secret } from '../secrecy/key.ts';
import type { Redact } from '../secrecy/safe-cause.ts';
import { isForFramework, safeCause } from '../secrecy/safe-cause.ts';
import type { Clock } from '../time/clock.ts';
import type { TimeLimit } from '../time/time-limit.ts';
import { startTimeLimit } from '../time/time-limit.ts';
import { connectFailureOf, isHidden407, isProgrammingError } from './connect-failure.ts';
import type { Doubt, Outcome, ReceivedOutcome, Unprepared } from './outcome.ts';
import type { RunningCall } from './types.ts';

/** Characters to keep of a body that is too large: enough for a message, although redaction leaves out the end. */
const MAX_OVERSIZED_TEXT = 4_000;

/**
 * Reads a body as UTF-8, and stops as soon as it is larger than `maxBytes`. Bytes are counted after decompression: a few
 * kilobytes of gzip can expand to gigabytes.
 *
 * @returns The text, or only its beginning when the body is larger than allowed.
 */
const readBody = async (
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

/** An attempt that is ready to be sent. */
export interface ReadyAttempt {
  readonly event: AttemptEvent;
  /** Without the header of the key. Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly key: Secret;
}

/** Returns how an attempt ended if that is due to the signal of its call. */
const stoppedBy = ({ signal, isTimeout }: TimeLimit, doubt: Doubt): Outcome | undefined => {
  const { aborted, reason: error } = signal;
  return aborted
    ? isTimeout(error)
      ? { kind: 'expired', doubt }
      : { kind: 'stopped', doubt, error }
    : undefined;
};

/** Asks for the key and the headers of the next attempt. It never rejects. */
export const prepareAttempt = async (
  settings: ClientSettings,
  { callId, request, options, timeLimit, effort }: RunningCall,
): Promise<ReadyAttempt | Unprepared | Outcome> => {
  const { signal } = timeLimit;
  try {
    const key = await settings.key.get(signal);
    const { operation, method, path, body } = request;
    const event: AttemptEvent = Object.freeze({
      callId,
      operation,
      method,
      // A search for the key would put the key into the URL.
      url: key.redact(settings.baseUrl + path),
      attempt: effort.attempts + 1,
    });
    const headers = {
      ...settings.headers,
      ...(await settings.askHeaders?.(event, key.redact, signal)),
      ...options.headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    return { event, headers, key };
  } catch (error) {
    return stoppedBy(timeLimit, false) ?? { kind: 'unprepared', error };
  }
};

/**
 * Converts a response to plain data.
 *
 * @param text Undefined when the body was cut off.
 */
const toOutcome = (
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
  const doubt = !redirected && (status < 300 || status === 408 || status >= 500);
  const isFromApi = typeof Object(body).success === 'boolean';
  const rateLimit = readRateLimit(headers, clock);
  return { kind: 'response', doubt, status, redirected, headers, text, body, isFromApi, rateLimit, redact };
};

/** Some substitutes for `fetch` have a `Response` of their own. */
const isResponse = (value: unknown): value is Response => {
  const { text, headers } = Object(value);
  return typeof text === 'function' && Symbol.iterator in Object(headers);
};

/** Says how an attempt ended whose `fetch` rejected, before the response came or while its body was read. */
const toFailure = (
  error: unknown,
  response: Response | undefined,
  path: string,
  redact: Redact,
  clock: Clock,
): Outcome => {
  // Deno, Bun and node-fetch quote the whole URL. Its query may hold personal data.
  const query = path.replace(/^[^?]*/, '');
  const hide: Redact = (text, ...bounds) => redact(text.replaceAll(query, ''), ...bounds);
  if (error instanceof MiddlewareFailure) {
    const { outcome } = error;
    return { ...outcome, doubt: outcome.status !== undefined, cause: safeCause(error.cause, hide) };
  }
  const cause = safeCause(error, hide);
  if (cause && isHidden407(cause)) {
    return toOutcome(new Response(null, { status: 407 }), '', redact, clock);
  }
  if (response) {
    return { kind: 'broken', doubt: true, status: response.status, cause };
  }
  const failure = connectFailureOf(error);
  if (failure) {
    return { kind: 'unsent', doubt: false, cause, failure };
  }
  const isMistake = cause !== undefined && isProgrammingError(cause);
  return { kind: 'lost', doubt: !isMistake, cause, final: isMistake };
};

/**
 * Sends a request once and reads the whole response. It never rejects.
 *
 * @param propagated Headers that propagate the context of a trace.
 */
const exchange = async (
  { fetch: ownFetch, clock, baseUrl, maxResponseBytes, keyPrefix, callDefaults }: ClientSettings,
  { request: { method, path, body }, options, timeLimit: total }: RunningCall,
  { headers: prepared, key: { secret, redact } }: ReadyAttempt,
  propagated?: Readonly<Record<string, string>>,
): Promise<Outcome> => {
  const headers = { ...prepared, ...propagated, [callDefaults.keyHeader]: keyPrefix + secret };
  let timeLimit: TimeLimit | undefined;
  let response: Response | undefined;

  const transmit = async ({ signal, onStop }: TimeLimit): Promise<Outcome> => {
    // Called as a plain function because browsers and Workers reject `fetch` as a method of another object. The global
    // is read for each attempt because tools replace it.
    const fetch = ownFetch ?? globalThis.fetch;
    // A followed redirect would carry the key to another host.
    const init = { method, headers, signal, redirect: 'manual' } as const;
    const received: unknown = await fetch(baseUrl + path, body === undefined ? init : { ...init, body });
    if (!isResponse(received)) {
      const got = `the \`fetch\` of createClient must resolve with a Response, got ${typeName(received)}`;
      return { kind: 'lost', doubt: true, cause: new TypeError(got), final: true };
    }
    response = received;
    const { text, isComplete } = await readBody(response, maxResponseBytes, onStop);
    // The status of an error says enough.
    return isComplete || response.status >= 300
      ? toOutcome(response, isComplete ? text : `${redact(text, undefined, true)}…`, redact, clock)
      : { kind: 'oversized', doubt: true, status: response.status };
  };

  try {
    timeLimit = startTimeLimit(clock, options.timeout, total.signal, total.onStop);
    // A user's `fetch` may ignore its signal, and a body may stall in spite of it.
    return await timeLimit.race(transmit(timeLimit));
  } catch (error) {
    const stopped = stoppedBy(total, true);
    if (stopped !== undefined || isForFramework(error, redact)) {
      return stopped ?? { kind: 'stopped', doubt: true, error };
    }
    // The status of an error or redirect says enough without the body. A success without its data does not.
    if (response !== undefined && response.status >= 300) {
      return toOutcome(response, undefined, redact, clock);
    }
    if (timeLimit?.isTimeout(timeLimit.signal.reason)) {
      return { kind: 'timeout', doubt: true };
    }
    return toFailure(error, response, path, redact, clock);
  } finally {
    timeLimit?.end();
  }
};

/** Sends an attempt, and reports it and its response to the hooks. It never rejects. */
export const sendAttempt = async (
  settings: ClientSettings,
  call: RunningCall,
  ready: ReadyAttempt,
): Promise<Outcome> => {
  const { clock, reporter } = settings;
  const { event } = ready;
  reporter.emit('onRequest', event);
  const startedAt = clock.now();
  const outcome = await (call.trace
    ? call.trace.attempt(event, (propagated) => exchange(settings, call, ready, propagated))
    : exchange(settings, call, ready));
  if (outcome.kind === 'response') {
    const { status, headers, rateLimit } = outcome;
    const durationMs = Math.round(clock.now() - startedAt);
    reporter.emit('onResponse', { ...event, status, headers, durationMs });
    if (status === 429) {
      reporter.emit('onRateLimit', { ...event, ...rateLimit });
    }
  }
  return outcome;
};
