import { onAbort, rejectOnAbort, typeName } from '@confab/internal';
import type { RateLimitInfo } from '../errors/index.ts';
import type { MiddlewareOutcome } from '../errors/middleware-failure.ts';
import { MiddlewareFailure } from '../errors/middleware-failure.ts';
import type { AttemptEvent } from '../options/events.ts';
import type { ResolvedCallOptions, ResolvedClientOptions } from '../options/resolve-options.ts';
import { readRateLimit } from '../rate-limit/headers.ts';
import type { Limiter } from '../rate-limit/limiter.ts';
import type { Secret } from '../secrecy/key.ts';
import type { Redact } from '../secrecy/safe-cause.ts';
import { rethrowForFramework, safeCause } from '../secrecy/safe-cause.ts';
import type { Clock } from '../time/clock.ts';
import { startTimeLimit } from '../time/time-limit.ts';
import type { ConnectFailure } from './connect-failure.ts';
import { connectFailureOf, isHidden407, isProgrammingError } from './connect-failure.ts';
import type { ApiRequest } from './types.ts';

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
  signal: AbortSignal,
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
  if (signal.aborted) {
    cancel();
  }
  onAbort(signal, cancel);
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

/** The response to one attempt, as plain data. Its headers are redacted; `text` and `body` may contain the API key. */
interface AttemptResponse {
  readonly kind: 'response';
  readonly status: number;
  /** True for a redirect, whether it was followed or not. */
  readonly redirected: boolean;
  /** Names in lower case, without cookies and without the API key. */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined when the body of an error or redirect was cut off. */
  readonly text: string | undefined;
  /** The text parsed as JSON; undefined when it is not JSON. */
  readonly body: unknown;
  readonly rateLimit: RateLimitInfo;
}

/** The result of one attempt. */
export type AttemptOutcome =
  | AttemptResponse
  | { readonly kind: 'timeout' }
  /** A hook or an option of a ky instance failed. A repeat would fail in the same way. */
  | (MiddlewareOutcome & { readonly cause: Error | undefined })
  /** A successful response whose body is larger than allowed. */
  | { readonly kind: 'oversized'; readonly status: number }
  | {
      readonly kind: 'connection';
      /** A redacted copy of the error that `fetch` rejected with. */
      readonly cause: Error | undefined;
      /** The status, when the connection broke after the headers. */
      readonly status: number | undefined;
      /** True when a repeat would fail in the same way. */
      readonly final: boolean;
      /** Why nothing was sent, if that is certain. */
      readonly unsent: ConnectFailure | undefined;
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
): AttemptResponse => {
  const { status, type } = response;
  const headers: Record<string, string> = {};
  for (const [name, value] of response.headers) {
    if (name !== 'set-cookie') {
      headers[redact(name)] = redact(value);
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
  return {
    kind: 'response',
    status,
    redirected,
    headers,
    text,
    body,
    rateLimit: readRateLimit(headers, clock),
  };
};

/** Some substitutes for `fetch` have a `Response` of their own. */
const isResponse = (value: unknown): value is Response => {
  const { text, headers } = Object(value);
  return typeof text === 'function' && Symbol.iterator in Object(headers);
};

/** One attempt to send a request. */
export interface Attempt {
  readonly callId: number;
  readonly request: ApiRequest;
  readonly options: ResolvedCallOptions;
  /** From 1. */
  readonly number: number;
  /** Aborted when the call must end. */
  readonly signal: AbortSignal;
}

/**
 * Sends a request once and reads the whole response.
 *
 * @throws The signal's reason once it is aborted, and what the user's `fetch` throws for its framework.
 */
const exchange = async (
  settings: ResolvedClientOptions,
  { request, options, signal }: Attempt,
  headers: Record<string, string>,
  redact: Redact,
): Promise<AttemptOutcome> => {
  const { clock, baseUrl, maxResponseBytes } = settings;
  const { method, path, body } = request;
  const limit = startTimeLimit(clock, options.timeout, signal);
  let response: Response | undefined;

  const send = async (): Promise<AttemptOutcome> => {
    // Called as a plain function because browsers and Workers reject `fetch` as a method of another object. The global
    // is read for each attempt because tools replace it.
    const fetch = settings.fetch ?? globalThis.fetch;
    // A followed redirect would carry the key to another host.
    const init = { method, headers, signal: limit.signal, redirect: 'manual' } as const;
    const received: unknown = await fetch(baseUrl + path, body === undefined ? init : { ...init, body });
    if (!isResponse(received)) {
      const cause = new TypeError(
        `the \`fetch\` of createClient must resolve with a Response, got ${typeName(received)}`,
      );
      return { kind: 'connection', cause, status: undefined, final: true, unsent: undefined };
    }
    response = received;
    const { text, isComplete } = await readBody(response, maxResponseBytes, limit.signal);
    // The status of an error says enough.
    return isComplete || response.status >= 300
      ? toOutcome(response, isComplete ? text : `${redact(text, undefined, true)}…`, redact, clock)
      : { kind: 'oversized', status: response.status };
  };

  try {
    // A user's `fetch` may ignore its signal, and a body may stall in spite of it.
    return await rejectOnAbort(send(), limit.signal);
  } catch (error) {
    signal.throwIfAborted();
    rethrowForFramework(error, redact);
    // The status of an error or redirect says enough without the body. A success without its data does not.
    if (response !== undefined && response.status >= 300) {
      return toOutcome(response, undefined, redact, clock);
    }
    if (limit.isTimeout(limit.signal.reason)) {
      return { kind: 'timeout' };
    }
    // Deno, Bun and node-fetch quote the whole URL. Its query may hold personal data.
    const query = path.replace(/^[^?]*/, '');
    const hide: Redact = (text, ...bounds) => redact(text.replaceAll(query, ''), ...bounds);
    if (error instanceof MiddlewareFailure) {
      return { ...error.outcome, cause: safeCause(error.cause, hide) };
    }
    const cause = safeCause(error, hide);
    if (cause && isHidden407(cause)) {
      return toOutcome(new Response(null, { status: 407 }), '', redact, clock);
    }
    const unsent = response ? undefined : connectFailureOf(error);
    return {
      kind: 'connection',
      cause,
      status: response?.status,
      final: unsent?.final ?? (cause !== undefined && isProgrammingError(cause)),
      unsent,
    };
  } finally {
    limit.end();
  }
};

/** How an attempt ended. */
export type AttemptResult =
  | {
      readonly kind: 'done';
      readonly outcome: AttemptOutcome;
      readonly event: AttemptEvent;
      /** The key that the request was sent with. */
      readonly key: Secret;
    }
  /** Nothing was sent, because a pause began while the user's `apiKey` or `headers` function ran. */
  | { readonly kind: 'paused' }
  /** The call was aborted, or a function of the user's failed. */
  | { readonly kind: 'stopped'; readonly error: unknown; readonly sent: boolean };

/**
 * Makes one attempt: asks for the key and the headers, exchanges the request for a response, and reports both to the
 * hooks. It never rejects.
 */
export const attempt = async (
  settings: ResolvedClientOptions,
  limiter: Pick<Limiter, 'isPaused'>,
  current: Attempt,
): Promise<AttemptResult> => {
  const { clock, reporter } = settings;
  const { callId, request, options, number, signal } = current;
  let sent = false;
  try {
    const key = await settings.key.get(signal);
    const { secret, redact } = key;
    const { operation, method, path, body } = request;
    // A search for the key would put the key into the URL.
    const url = redact(settings.baseUrl + path);
    const event: AttemptEvent = Object.freeze({ callId, operation, method, url, attempt: number });
    // All names are in lower case already.
    const headers = {
      ...settings.headers,
      ...(await settings.askHeaders?.(event, redact, signal)),
      ...options.headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      [settings.callDefaults.keyHeader]: settings.keyPrefix + secret,
    };
    if (settings.maxLookup > 0 && limiter.isPaused()) {
      return { kind: 'paused' };
    }

    reporter.emit('onRequest', event);
    sent = true;
    const startedAt = clock.now();
    const outcome = await exchange(settings, current, headers, redact);
    if (outcome.kind === 'response') {
      const { status, headers: received, rateLimit } = outcome;
      const durationMs = Math.round(clock.now() - startedAt);
      reporter.emit('onResponse', { ...event, status, headers: received, durationMs });
      if (status === 429) {
        reporter.emit('onRateLimit', { ...event, ...rateLimit });
      }
    }
    return { kind: 'done', outcome, event, key };
  } catch (error) {
    return { kind: 'stopped', error, sent };
  }
};
