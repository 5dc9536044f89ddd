import type { AttemptEvent, RetryEvent } from '../options/hook-events.ts';
import type { Evidence } from '../options/rate-window.ts';
import type { ResolvedCallOptions } from '../options/resolve-call-options.ts';
import type { ResolvedClientOptions } from '../options/resolve-client-options.ts';
import { DEFAULT_RETRY_POLICY } from '../options/retry-policy.ts';
import type { Limiter } from '../rate-limit/limiter.ts';
import type { AttemptOutcome } from '../retry/attempt-outcome.ts';
import type { RetryDecision } from '../retry/decide-retry.ts';
import { decideRetry, mayHaveActed } from '../retry/decide-retry.ts';
import { startLifetime } from '../time/lifetime.ts';
import type { ApiResponse, ReceivedData } from './api-response.ts';
import type { ApiRequest } from './build-request.ts';
import type { CallNames } from './call-errors.ts';
import { deadlineError, pausedError } from './call-errors.ts';
import { doubtAbout } from './doubt-about.ts';
import { secondsOf } from './in-words.ts';
import { labelOf } from './label.ts';
import { successOf } from './read-outcome/decode-envelope.ts';
import { readOutcome } from './read-outcome/read-outcome.ts';
import { sendOnce } from './send-once.ts';
import type { CallProgress } from './track-call.ts';

/**
 * Longest pause in milliseconds after a `Retry-After` that is too long to wait out. After it, one call finds out whether
 * the service accepts requests again.
 */
const LONGEST_PAUSE = 3_600_000;

const retryReason = (outcome: AttemptOutcome): Pick<RetryEvent, 'reason' | 'status'> =>
  outcome.kind === 'response'
    ? { reason: outcome.status === 429 ? 'rate-limit' : 'status', status: outcome.status }
    : { reason: outcome.kind === 'timeout' ? 'timeout' : 'connection', status: undefined };

/** Returns what an outcome proves about the window of the rate limit. */
const evidenceOf = (outcome: AttemptOutcome): Evidence | undefined => {
  // A proxy may answer on its own.
  if (outcome.kind !== 'response' || typeof successOf(outcome.body) !== 'boolean') {
    return undefined;
  }
  const { status, rateLimit } = outcome;
  const { limit, retryAfterMs } = rateLimit;
  // A 429 without a limit has another reason, such as overload.
  if (status === 429 && limit !== undefined && retryAfterMs !== undefined) {
    return { kind: 'refused', retryAfterMs };
  }
  return status < 300 ? { kind: 'accepted' } : undefined;
};

/** Applies what a response says about the rate limit, while its place in the limiter is still taken. */
const updateLimiter = (
  limiter: Limiter,
  outcome: AttemptOutcome,
  decision: RetryDecision,
  now: number,
): void => {
  if (outcome.kind !== 'response') {
    return;
  }
  const { body, rateLimit, status } = outcome;
  // A proxy's error page may report a limit of its own.
  if (typeof successOf(body) === 'boolean') {
    limiter.observe(rateLimit);
  }
  if (status === 429) {
    const pause = decision.again ? decision.delayMs : Math.min(rateLimit.retryAfterMs ?? 0, LONGEST_PAUSE);
    limiter.pause(now + pause);
  }
};

/**
 * Sends a request in its turn, and again as often as the retry policy allows.
 *
 * @param onRepeat Called when the request is repeated although the service may have acted on an earlier attempt.
 * @param decode Returns the data of the response. It must end within the call too: a caller's schema may hang.
 * @returns A response with a status of 2xx, and its data once it is decoded or has failed to be.
 * @throws {@link ConfabError} When the last attempt failed.
 * @throws The signal's reason once it is aborted.
 */
export const sendWithRetries = async <T>(
  client: ResolvedClientOptions,
  limiter: Limiter,
  request: ApiRequest,
  options: ResolvedCallOptions,
  progress: CallProgress,
  onRepeat: (() => void) | undefined,
  decode: (response: ApiResponse) => T | Promise<T>,
): Promise<ReceivedData<T>> => {
  const { clock, key, report } = client;
  const { id, operation } = request;
  const { retry } = options;
  // With `onRepeat`, the caller finds out whether the service has acted.
  const doubt = doubtAbout(operation.idempotent || onRepeat !== undefined, retry);
  const lifetime = startLifetime(clock, options.deadline, options.signal);
  const { signal } = lifetime;
  /** True once the service may have acted on an attempt. */
  let acted = false;
  /** What the call waited for when it left the queue without a place. */
  let gaveUpWaiting: string | undefined;
  let repeats = 0;
  let rateLimited = 0;

  /** Adds up how long the call waits. */
  const timed = async <T>(name: 'queuedMs' | 'waitedMs', wait: () => Promise<T>): Promise<T> => {
    const startedAt = clock.now();
    try {
      return await wait();
    } finally {
      progress[name] += Math.round(clock.now() - startedAt);
    }
  };

  /** Returns what errors call this call. */
  const names = (): CallNames => {
    const { method } = operation;
    return { operation: id, label: labelOf({ operation: id, method, url: key.redact(request.path) }) };
  };

  /** @throws {@link RateLimitError} When the call cannot wait until the pause ends. */
  const checkPause = (pausedUntil: number) => {
    const retryAfterMs = Math.ceil(pausedUntil - clock.now());
    const { maxRetryAfter } = retry || DEFAULT_RETRY_POLICY;
    if (retryAfterMs > maxRetryAfter || retryAfterMs >= lifetime.left()) {
      const { limit, remaining } = limiter.snapshot();
      throw pausedError(names(), progress.attempts, { limit, remaining, retryAfterMs });
    }
  };

  /** Counts a repeat and returns how many milliseconds to wait before it. */
  const planRepeat = (
    event: AttemptEvent,
    outcome: AttemptOutcome,
    { delayMs, counts }: Extract<RetryDecision, { again: true }>,
  ): number => {
    report.retry({ ...event, ...retryReason(outcome), delayMs });
    if (!counts) {
      rateLimited += 1;
      // The limiter's pause is the wait.
      return 0;
    }
    repeats += 1;
    if (mayHaveActed(outcome)) {
      onRepeat?.();
    }
    return delayMs;
  };

  /** Makes one attempt. Returns the response, or how many milliseconds to wait before the next attempt. */
  const attempt = async (): Promise<ApiResponse | number> => {
    const queuedAt = clock.now();
    const queued = timed('queuedMs', () =>
      limiter.acquire({
        signal,
        call: { ...names(), attempts: progress.attempts },
        // A request holds its place while the functions `apiKey` and `headers` run.
        timeout: options.timeout + client.longestLookup,
        refuse: checkPause,
      }),
    );
    const permit = await queued.catch((error) => {
      gaveUpWaiting = `${secondsOf(clock.now() - queuedAt)} for ${limiter.waitsFor()}`;
      throw error;
    });
    let countsForPace = false;
    let evidence: Evidence | undefined;
    try {
      const secret = await key.get(signal);
      const redact = key.redactWith(secret);
      const event: AttemptEvent = Object.freeze({
        callId: progress.callId,
        operation: id,
        method: operation.method,
        // A search for the key would put the key into the URL.
        url: redact(client.baseUrl + request.path),
        attempt: progress.attempts + 1,
      });
      const headers = await client.askHeaders?.(event, redact, signal);
      if (limiter.snapshot().pausedUntil) {
        // A pause has started while `apiKey` or `headers` ran.
        return 0;
      }
      progress.attempts += 1;
      const actedBefore = acted;
      acted = true;
      countsForPace = true;
      const outcome = await sendOnce(client, {
        request,
        event,
        headers,
        secret,
        redact,
        options,
        call: lifetime,
      });
      countsForPace = mayHaveActed(outcome);
      acted = actedBefore || countsForPace;
      evidence = evidenceOf(outcome);
      const decision = decideRetry(outcome, retry, {
        idempotent: operation.idempotent,
        repeats,
        rateLimited,
        remaining: lifetime.left(),
        random: Math.random,
      });
      updateLimiter(limiter, outcome, decision, clock.now());
      if (decision.again) {
        return planRepeat(event, outcome, decision);
      }
      return readOutcome(outcome, { event, redact, options, client, doubt: acted ? doubt : '' });
    } finally {
      permit.release(countsForPace, evidence);
    }
  };

  /** Throws a `TimeoutError` in place of the lifetime's own reason. */
  const fail = (error: unknown): never => {
    throw lifetime.isTimeout(error)
      ? deadlineError(names(), options.deadline, progress.attempts, {
          wait: gaveUpWaiting,
          doubt: acted ? doubt : '',
        })
      : error;
  };

  const receive = async (response: ApiResponse): Promise<ReceivedData<T>> => {
    const data = lifetime.race((async () => decode(response))()).catch(fail);
    // The response can be read even when its data cannot.
    await data.catch(() => {});
    return { ...response, data };
  };

  try {
    for (;;) {
      const result = await attempt();
      if (typeof result !== 'number') {
        return await receive(result);
      }
      if (result > 0) {
        await timed('waitedMs', () => clock.sleep(result, signal, 'wait'));
      }
    }
  } catch (error) {
    return fail(error);
  } finally {
    lifetime.end();
  }
};
