import { createGrowingBuffer, rejectOnAbort } from '@confab/internal';
import type { RateLimitInfo } from '../errors/index.ts';
import type { MiddlewareOutcome } from '../errors/middleware-failure.ts';
import { MiddlewareFailure } from '../errors/middleware-failure.ts';
import type { Redact } from '../errors/redaction.ts';
import { safeCause, safeHeaders } from '../errors/redaction.ts';
import type { AttemptEvent } from '../options/events.ts';
import type { ResolvedCallOptions, ResolvedClientOptions } from '../options/resolve-options.ts';
import { readRateLimit } from '../rate-limit/headers.ts';
import type { Limiter } from '../rate-limit/limiter.ts';
import { userAgent } from '../runtime/runtime.ts';
import { startTimeLimit } from '../time/time-limit.ts';
import type { ApiRequest } from './check-input.ts';
import type { ConnectFailure } from './connect-failure.ts';
import { connectFailureOf, isProgrammingError } from './connect-failure.ts';

export interface ReadBody {
  readonly text: string;
  /** False when the body is larger than allowed. The text is then its beginning, for a message. */
  readonly whole: boolean;
}

/** Bytes to keep of a body that is too large: enough for a message, although redaction leaves out the end. */
const BEGINNING = 4_000;

/**
 * Reads a body as UTF-8, and stops as soon as it is larger than `most` bytes. Bytes are counted after decompression: a
 * few kilobytes of gzip can expand to gigabytes.
 */
export const readBody = async (response: Response, most: number): Promise<ReadBody> => {
  // Some runtimes and substitutes for `Response` have no readable stream.
  const reader = typeof TextDecoder === 'function' ? response.body?.getReader?.() : undefined;
  if (reader === undefined) {
    const text = await response.text();
    const whole = text.length <= most;
    return { text: whole ? text : text.slice(0, Math.min(most, BEGINNING)), whole };
  }
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  const buffer = createGrowingBuffer(most);
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      return { text: decode(buffer.bytes()), whole: true };
    }
    if (!buffer.append(value)) {
      // Not awaited because a stream that cannot be canceled must not delay the call.
      reader.cancel().catch(() => {});
      const read = buffer.bytes().subarray(0, BEGINNING);
      const rest = value.subarray(0, BEGINNING - read.length);
      return { text: decode(Uint8Array.of(...read, ...rest)), whole: false };
    }
  }
};

/** Returns undefined for a text that is not JSON. */
const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // A body that is not JSON.
  }
  return undefined;
};

/** The response to one attempt. */
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

/** The result of one attempt. It never contains the API key. */
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

/** A request and how to send it once. */
interface Exchange {
  readonly request: ApiRequest;
  /** The headers for this attempt alone. */
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly secret: string;
  /** Redacts the secret. */
  readonly redact: Redact;
  readonly options: ResolvedCallOptions;
  /** Aborted when the call must end. */
  readonly signal: AbortSignal;
}

/**
 * Converts a response to plain data without the API key.
 *
 * @param text Undefined when the body was cut off.
 * @param now Milliseconds since 1970.
 */
const toOutcome = (
  response: Response,
  text: string | undefined,
  redact: Redact,
  now: number,
): AttemptResponse => {
  const { status, type, redirected } = response;
  const headers = safeHeaders(response.headers, redact);
  return {
    kind: 'response',
    status,
    // A user's `fetch` may have followed a redirect. Browsers hide one that was not followed behind the status 0.
    redirected: redirected || type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== 304),
    headers,
    text,
    body: text === undefined ? undefined : parseJson(text),
    rateLimit: readRateLimit(headers, now),
  };
};

/** Node's `fetch` rejects on a 407, with an empty error as cause. It does so for no other reason in a request like ours. */
const isHidden407 = (error: unknown): boolean => {
  try {
    const { message, cause } = Object(error);
    return message === 'fetch failed' && cause instanceof Error && !cause.message && !('code' in cause);
  } catch {
    // A getter of a hostile error has thrown.
    return false;
  }
};

/**
 * Sends a request once and reads the whole response.
 *
 * @throws The signal's reason once it is aborted.
 */
const exchange = async (
  client: ResolvedClientOptions,
  { request, headers, secret, redact, options, signal }: Exchange,
): Promise<AttemptOutcome> => {
  const { clock, baseUrl, maxResponseBytes } = client;
  const { method, path, body } = request;
  const limit = startTimeLimit(clock, options.timeout, signal);
  let response: Response | undefined;

  const send = async (): Promise<AttemptOutcome> => {
    // Called as a plain function because browsers and Workers reject `fetch` as a method of another object. The global
    // is read for each attempt because tools replace it.
    const fetch = client.fetch ?? globalThis.fetch;
    response = await fetch(baseUrl + path, {
      method,
      headers: new Headers({
        accept: 'application/json',
        ...userAgent(client.appInfo),
        ...headers,
        ...options.headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...client.authorize(secret),
      }),
      signal: limit.signal,
      // A followed redirect would carry the key to another host.
      redirect: 'manual',
      body: body ?? null,
    });
    const { text, whole } = await readBody(response, maxResponseBytes);
    // The status of an error says enough.
    return whole || response.status >= 300
      ? toOutcome(response, whole ? text : `${redact(text, undefined, true)}…`, redact, clock.now())
      : { kind: 'oversized', status: response.status };
  };

  try {
    // A user's `fetch` may ignore its signal, and a body may stall in spite of it.
    return await rejectOnAbort(send(), limit.signal);
  } catch (error) {
    signal.throwIfAborted();
    // The status of an error or redirect says enough without the body. A success without its data does not.
    if (response !== undefined && response.status >= 300) {
      return toOutcome(response, undefined, redact, clock.now());
    }
    if (limit.isTimeout(limit.signal.reason)) {
      return { kind: 'timeout' };
    }
    if (error instanceof MiddlewareFailure) {
      return { ...error.outcome, cause: safeCause(error.cause, redact) };
    }
    if (isHidden407(error)) {
      return toOutcome(new Response(null, { status: 407 }), '', redact, clock.now());
    }
    const unsent = response ? undefined : connectFailureOf(error);
    return {
      kind: 'connection',
      cause: safeCause(error, redact),
      status: response?.status,
      final: unsent?.kind === 'not-tls' || isProgrammingError(error),
      unsent,
    };
  } finally {
    limit.end();
  }
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

/** What became of an attempt. */
export type AttemptResult =
  | {
      readonly kind: 'done';
      readonly outcome: AttemptOutcome;
      readonly event: AttemptEvent;
      /** Redacts the key that the request was sent with. */
      readonly redact: Redact;
    }
  /** Nothing was sent, because a pause began while the user's `apiKey` or `headers` function ran. */
  | { readonly kind: 'paused' }
  /** The call was aborted, or the user's `apiKey` or `headers` function failed. */
  | { readonly kind: 'stopped'; readonly error: unknown; readonly sent: boolean };

/**
 * Sends a request once: asks for the key and the headers, exchanges the request for a response, and reports both to the
 * hooks. It never rejects.
 */
export const attempt = async (
  client: ResolvedClientOptions,
  limiter: Pick<Limiter, 'isPaused'>,
  { callId, request, options, number, signal }: Attempt,
): Promise<AttemptResult> => {
  const { clock, key, report } = client;
  let sent = false;
  try {
    const secret = await key.get(signal);
    const redact = key.redactWith(secret);
    const { operation, method, path } = request;
    // A search for the key would put the key into the URL.
    const url = redact(client.baseUrl + path);
    const event: AttemptEvent = Object.freeze({ callId, operation, method, url, attempt: number });
    const headers = await client.askHeaders?.(event, redact, signal);
    if (client.longestLookup > 0 && limiter.isPaused()) {
      return { kind: 'paused' };
    }

    report.emit('onRequest', event);
    sent = true;
    const startedAt = clock.now();
    const outcome = await exchange(client, { request, headers, secret, redact, options, signal });
    if (outcome.kind === 'response') {
      const { status, headers: received, rateLimit } = outcome;
      const durationMs = Math.round(clock.now() - startedAt);
      report.emit('onResponse', { ...event, status, headers: received, durationMs });
      if (status === 429) {
        report.emit('onRateLimit', { ...event, ...rateLimit });
      }
    }
    return { kind: 'done', outcome, event, redact };
  } catch (error) {
    return { kind: 'stopped', error, sent };
  }
};
