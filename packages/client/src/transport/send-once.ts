import { MiddlewareFailure } from '../errors/middleware-failure.ts';
import type { AttemptEvent } from '../options/hook-events.ts';
import type { ResolvedCallOptions } from '../options/resolve-call-options.ts';
import type { ResolvedClientOptions } from '../options/resolve-client-options.ts';
import type { AttemptOutcome } from '../retry/attempt-outcome.ts';
import { connectFailureOf } from '../retry/connect-failure.ts';
import { userAgent } from '../runtime/node.ts';
import type { Redact } from '../secrecy/redact.ts';
import { safeCause } from '../secrecy/safe-cause.ts';
import type { Lifetime } from '../time/lifetime.ts';
import type { ApiRequest } from './build-request.ts';
import { isFinalFailure } from './is-final-failure.ts';
import { readBody } from './read-body.ts';
import { readResponse } from './read-response.ts';

/** One attempt to send a request. */
export interface Attempt {
  readonly request: ApiRequest;
  readonly event: AttemptEvent;
  /** The headers for this attempt alone. */
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly secret: string;
  /** Redacts the secret. */
  readonly redact: Redact;
  readonly options: ResolvedCallOptions;
  /** Ends when the call must end. */
  readonly call: Lifetime;
}

const buildInit = (
  { authorize, appInfo }: ResolvedClientOptions,
  { request, headers, options, secret }: Attempt,
  signal: AbortSignal,
): RequestInit => ({
  method: request.operation.method,
  headers: new Headers({
    accept: 'application/json',
    ...userAgent(appInfo),
    ...headers,
    ...options.headers,
    ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
    ...authorize(secret),
  }),
  signal,
  // A followed redirect would carry the key to another host.
  redirect: 'manual',
  body: request.body ?? null,
});

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

/** Sends the request and reads the whole response. Rejects only when the call is aborted. */
const fetchOutcome = async (client: ResolvedClientOptions, attempt: Attempt): Promise<AttemptOutcome> => {
  const { clock, baseUrl, maxResponseBytes } = client;
  const { request, call, redact } = attempt;
  const lifetime = call.startInner(attempt.options.timeout);
  let response: Response | undefined;

  const send = async (): Promise<AttemptOutcome> => {
    // Called as a plain function because browsers and Workers reject `fetch` as a method of another object. The global
    // is read for each attempt because tools replace it.
    const fetch = client.fetch ?? globalThis.fetch;
    response = await fetch(baseUrl + request.path, buildInit(client, attempt, lifetime.signal));
    const { text, whole } = await readBody(response, maxResponseBytes);
    // The status of an error says enough.
    return whole || response.status >= 300
      ? readResponse(response, whole ? text : `${redact(text, undefined, true)}…`, redact, clock.now())
      : { kind: 'oversized', status: response.status };
  };

  try {
    // The race is needed because a user's `fetch` may ignore its signal, and a body may stall in spite of it.
    return await lifetime.race(send());
  } catch (error) {
    call.signal.throwIfAborted();
    // The status of an error or redirect says enough without the body. A success without its data does not.
    if (response !== undefined && response.status >= 300) {
      return readResponse(response, undefined, redact, clock.now());
    }
    if (lifetime.signal.aborted) {
      return { kind: 'timeout' };
    }
    if (error instanceof MiddlewareFailure) {
      return { ...error.outcome, cause: safeCause(error.cause, redact) };
    }
    if (isHidden407(error)) {
      return readResponse(new Response(null, { status: 407 }), '', redact, clock.now());
    }
    const unsent = response ? undefined : connectFailureOf(error);
    return {
      kind: 'connection',
      cause: safeCause(error, redact),
      status: response?.status,
      final: unsent?.kind === 'not-tls' || isFinalFailure(error),
      unsent,
    };
  } finally {
    lifetime.end();
  }
};

/**
 * Sends a request once and reports it to the hooks.
 *
 * @throws The signal's reason once it is aborted.
 */
export const sendOnce = async (client: ResolvedClientOptions, attempt: Attempt): Promise<AttemptOutcome> => {
  const { clock, report } = client;
  const { event } = attempt;
  report.request(event);
  const startedAt = clock.now();
  const outcome = await fetchOutcome(client, attempt);
  if (outcome.kind === 'response') {
    const { status, headers, rateLimit } = outcome;
    report.response({ ...event, status, headers, durationMs: Math.round(clock.now() - startedAt) });
    if (status === 429) {
      report.rateLimit({ ...event, ...rateLimit });
    }
  }
  return outcome;
};
