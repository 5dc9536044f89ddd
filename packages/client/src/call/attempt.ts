import { typeName } from '@confab/internal';
import type { AttemptEvent } from '../hooks/events.ts';
import type { ClientSettings } from '../options/resolve-options.ts';
import { isForFramework } from '../secrecy/framework-error.ts';
import type { AttemptKey } from '../secrecy/key.ts';
import type { TimeLimit } from '../time/time-limit.ts';
import { startTimeLimit } from '../time/time-limit.ts';
import { toFailure } from './fetch-failure.ts';
import type { Outcome, Unprepared } from './outcome.ts';
import { isResponse, readBody, toOutcome } from './receive-response.ts';
import type { RunningRequest } from './types.ts';

/** An attempt that is ready to be sent. */
export interface ReadyAttempt {
  readonly kind: 'ready';
  readonly event: AttemptEvent;
  /** Without the header of the key. Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly key: AttemptKey;
}

/** Returns the outcome of an attempt if the signal of its call has ended it; otherwise undefined. */
const toStopOutcome = ({ signal, isTimeout }: TimeLimit, mayHaveActed: boolean): Outcome | undefined => {
  const { aborted, reason: error } = signal;
  if (!aborted) {
    return undefined;
  }
  return isTimeout(error) ? { kind: 'call-timeout', mayHaveActed } : { kind: 'aborted', mayHaveActed, error };
};

/** Asks for the key and the headers of the next attempt. It never rejects. */
export const prepareAttempt = async (
  settings: ClientSettings,
  { callId, request, options, timeLimit, effort }: RunningRequest,
): Promise<ReadyAttempt | Unprepared | Outcome> => {
  const { signal } = timeLimit;
  try {
    const key = await settings.key.get(signal);
    const { operation, method, path, body } = request;
    const event: AttemptEvent = Object.freeze({
      callId,
      operation,
      method,
      // The query contains the key if a program searches for its text.
      url: key.redact(settings.baseUrl + path),
      attempt: effort.attempts + 1,
    });
    const headers = {
      ...settings.headers,
      ...(await settings.askHeaders?.(event, key.redact, signal)),
      ...options.headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    return { kind: 'ready', event, headers, key };
  } catch (error) {
    return toStopOutcome(timeLimit, false) ?? { kind: 'unprepared', error };
  }
};

/**
 * Sends a request once and reads the whole response. It never rejects.
 *
 * @param traceHeaders Headers that propagate the context of a trace.
 */
const exchange = async (
  { fetch: ownFetch, clock, baseUrl, maxResponseBytes, keyPrefix, callDefaults }: ClientSettings,
  { request: { method, path, body }, options, timeLimit: callLimit }: RunningRequest,
  { headers: attemptHeaders, key: { secret, redact } }: ReadyAttempt,
  traceHeaders?: Readonly<Record<string, string>>,
): Promise<Outcome> => {
  const headers = { ...attemptHeaders, ...traceHeaders, [callDefaults.keyHeader]: keyPrefix + secret };
  let timeLimit: TimeLimit | undefined;
  let response: Response | undefined;

  const transmit = async ({ signal, onStop }: TimeLimit): Promise<Outcome> => {
    // Called as a plain function because browsers and Workers reject `fetch` as a method of another object. The global
    // is read for each attempt because msw and instrumentation replace it.
    const fetch = ownFetch ?? globalThis.fetch;
    // A followed redirect would carry the key to another host.
    const init = { method, headers, signal, redirect: 'manual' } as const;
    const received: unknown = await fetch(baseUrl + path, body === undefined ? init : { ...init, body });
    if (!isResponse(received)) {
      const message = `the \`fetch\` of createClient must resolve with a Response, got ${typeName(received)}`;
      return { kind: 'lost', mayHaveActed: true, cause: new TypeError(message), final: true };
    }
    response = received;
    const { text, isComplete } = await readBody(response, maxResponseBytes, onStop);
    // The beginning of an error's body is enough, because its status says that it is one.
    return isComplete || response.status >= 300
      ? toOutcome(response, isComplete ? text : `${redact(text, undefined, true)}…`, redact, clock)
      : { kind: 'oversized', mayHaveActed: true, status: response.status };
  };

  try {
    timeLimit = startTimeLimit(clock, options.timeout, callLimit.signal, callLimit.onStop);
    // A user's `fetch` may ignore its signal, and a body may stall in spite of it.
    return await timeLimit.race(transmit(timeLimit));
  } catch (error) {
    const stopped = toStopOutcome(callLimit, true);
    if (stopped !== undefined || isForFramework(error, redact)) {
      return stopped ?? { kind: 'aborted', mayHaveActed: true, error };
    }
    // An error or a redirect needs no body, because its status says what it is. A success needs its data.
    if (response !== undefined && response.status >= 300) {
      return toOutcome(response, undefined, redact, clock);
    }
    if (timeLimit?.isTimeout(timeLimit.signal.reason)) {
      return { kind: 'attempt-timeout', mayHaveActed: true };
    }
    return toFailure(error, response, path, redact, clock);
  } finally {
    timeLimit?.end();
  }
};

/** Sends an attempt, and reports it and its response to the hooks. It never rejects. */
export const sendAttempt = async (
  settings: ClientSettings,
  running: RunningRequest,
  ready: ReadyAttempt,
): Promise<Outcome> => {
  const { clock, reporter } = settings;
  const { event } = ready;
  reporter.emit('onRequest', event);
  const startedAt = clock.now();
  const outcome = await (running.trace
    ? running.trace.attempt(event, (traceHeaders) => exchange(settings, running, ready, traceHeaders))
    : exchange(settings, running, ready));
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
