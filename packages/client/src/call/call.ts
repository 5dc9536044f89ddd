import { ConfigurationError } from '../errors/index.ts';
import type { CallOptions } from '../options/client-options.ts';
import type { CallStartEvent, RetryEvent } from '../options/events.ts';
import type { ResolvedCallOptions, ResolvedClientOptions } from '../options/resolve-options.ts';
import { DEFAULT_RETRY_POLICY, resolveCallOptions } from '../options/resolve-options.ts';
import type { Limiter } from '../rate-limit/limiter.ts';
import type { KeyHolder } from '../secrecy/key.ts';
import type { TimeLimit } from '../time/time-limit.ts';
import { startTimeLimit } from '../time/time-limit.ts';
import type { AttemptOutcome } from './attempt.ts';
import { attempt } from './attempt.ts';
import { buildRequest } from './build-request.ts';
import { inWords, notSentError, refusalError, totalTimeoutError } from './call-errors.ts';
import { toResponse } from './response.ts';
import { decideRetry, mayHaveActed, refusesKey } from './retry.ts';
import type { ApiRequest, ApiResponse, CallInput, CallOperation, CallResult } from './types.ts';

/**
 * Returns the data of a response with a status of 2xx. A caller's schema may be asynchronous: it must end when the signal
 * is aborted.
 */
type ReadData<T> = (response: ApiResponse, signal: AbortSignal) => T | Promise<T>;

const retryReason = (outcome: AttemptOutcome): Pick<RetryEvent, 'reason' | 'status'> =>
  outcome.kind === 'response'
    ? { reason: outcome.status === 429 ? 'rate-limit' : 'status', status: outcome.status }
    : { reason: outcome.kind === 'timeout' ? 'timeout' : 'connection', status: undefined };

/** Sends calls. Every method of a resource goes through it. */
export interface Caller {
  /** Makes a call of one request, and reports it to the hooks. It never rejects. */
  call<T>(
    operation: CallOperation,
    input: CallInput,
    options: CallOptions | undefined,
    read: ReadData<T>,
  ): Promise<CallResult<T>>;
  /** Reports a call of several requests, which `run` sends, to the hooks. It never rejects. */
  reportCall<T>(
    operation: CallStartEvent['operation'],
    signal: AbortSignal | undefined,
    run: (callId: number) => Promise<CallResult<T>>,
  ): Promise<CallResult<T>>;
  /** Sends one request of a call. It never rejects. */
  send<T>(
    callId: number,
    operation: CallOperation,
    input: CallInput,
    options: CallOptions | undefined,
    read: ReadData<T>,
  ): Promise<CallResult<T>>;
}

/** Returns the key to send now, or the refused one when the user's function fails: the 401 says more. */
const newKey = async (key: KeyHolder, signal: AbortSignal, refused: string): Promise<string> => {
  try {
    return (await key.get(signal)).secret;
  } catch (error) {
    if (error instanceof ConfigurationError && !signal.aborted) {
      return refused;
    }
    throw error;
  }
};

/** Number of calls of all clients so far. */
let calls = 0;

export const createCaller = (settings: ResolvedClientOptions, limiter: Limiter): Caller => {
  const { clock, key, reporter } = settings;

  const send: Caller['send'] = async (callId, operation, input, callOptions, read) => {
    const effort = { attempts: 0, queuedMs: 0, waitedMs: 0, mayHaveActedEarlier: false };
    let request: ApiRequest;
    let options: ResolvedCallOptions;
    let limit: TimeLimit;
    try {
      request = buildRequest(operation, input, callOptions, settings);
      options = resolveCallOptions(operation, settings.callDefaults, callOptions, key.redact);
      limit = startTimeLimit(clock, options.totalTimeout, options.signal);
    } catch (error) {
      return { ...effort, error, response: undefined };
    }

    const { retry, totalTimeout, timeout, validation } = options;
    const { idempotent } = operation;
    const { signal } = limit;
    const endsAt = clock.now() + totalTimeout;
    let repeats = 0;
    /** False after a 401: the next one is not due to a key that was replaced meanwhile. */
    let mayRenewKey = key.mayChange && retry !== false;
    /** True once the service may have acted on a request that is not idempotent. */
    let mayHaveWritten = false;
    /** When the call entered the queue, while it is there. */
    let queuedAt: number | undefined;
    let response: ApiResponse | undefined;

    try {
      for (;;) {
        queuedAt = clock.now();
        const permit = await limiter.acquire({
          signal,
          isRetry: effort.attempts > 0,
          isBulk: input.isBulk ?? false,
          // A request holds its slot while the functions `apiKey` and `headers` run.
          timeout: timeout + settings.maxLookup,
          maxPause: (retry || DEFAULT_RETRY_POLICY).maxRetryAfter,
          endsAt,
        });
        effort.queuedMs += Math.round(clock.now() - queuedAt);
        queuedAt = undefined;
        if ('refused' in permit) {
          throw refusalError(permit, request, effort.attempts, limiter.snapshot(), { mayHaveWritten, retry });
        }

        const number = effort.attempts + 1;
        const tried = await attempt(settings, limiter, { callId, request, options, number, signal });
        if (tried.kind === 'paused') {
          permit.end({ sent: false });
          continue;
        }
        if (tried.kind === 'stopped') {
          const { sent, error } = tried;
          permit.end({ sent });
          effort.attempts += sent ? 1 : 0;
          mayHaveWritten ||= sent && !idempotent;
          throw error instanceof ConfigurationError && !signal.aborted
            ? notSentError(error, effort.attempts, { mayHaveWritten, retry })
            : error;
        }

        const { outcome, event } = tried;
        const { secret, redact } = tried.key;
        effort.attempts = number;
        const acted = mayHaveActed(outcome);
        mayHaveWritten ||= acted && !idempotent;
        const remaining = endsAt - clock.now();
        const state = { idempotent, repeats, attempts: number, remaining, random: Math.random };
        const decision = decideRetry(outcome, retry, state);
        permit.end({
          sent: outcome.kind !== 'connection' || outcome.unsent === undefined,
          // A proxy may respond instead of the API, and report a limit of its own.
          response:
            outcome.kind === 'response'
              ? { ...outcome, isFromApi: typeof Object(outcome.body).success === 'boolean' }
              : undefined,
          repeatsInMs: decision.again ? decision.delayMs : undefined,
        });

        if (mayRenewKey && refusesKey(outcome)) {
          mayRenewKey = false;
          if ((await newKey(key, signal, secret)) !== secret) {
            reporter.emit('onRetry', { ...event, ...retryReason(outcome), delayMs: 0 });
            continue;
          }
        }
        if (!decision.again) {
          const call = { ...settings, ...effort, request, timeout, retry, redact, mayHaveWritten };
          response = toResponse(outcome, call, validation);
          break;
        }
        const why = retryReason(outcome);
        reporter.emit('onRetry', { ...event, ...why, delayMs: decision.delayMs });
        effort.mayHaveActedEarlier ||= acted;
        repeats += decision.countsAsRetry ? 1 : 0;
        // After a 429 the limiter waits, because it is paused.
        if (decision.delayMs > 0 && why.reason !== 'rate-limit') {
          const waitingSince = clock.now();
          await clock.sleep(decision.delayMs, signal, 'wait').finally(() => {
            effort.waitedMs += Math.round(clock.now() - waitingSince);
          });
        }
      }
      return { ...effort, data: await read(response, signal), response };
    } catch (error) {
      const waited = queuedAt === undefined ? undefined : clock.now() - queuedAt;
      effort.queuedMs += Math.round(waited ?? 0);
      if (!limit.isTimeout(error)) {
        return { ...effort, error, response };
      }
      const wait = waited === undefined ? undefined : `${inWords(waited)} for ${limiter.waitsFor()}`;
      const late = totalTimeoutError(request, totalTimeout, effort.attempts, { wait, mayHaveWritten, retry });
      return { ...effort, error: late, response };
    } finally {
      limit.end();
    }
  };

  const reportCall: Caller['reportCall'] = async (operation, signal, run) => {
    calls += 1;
    const start: CallStartEvent = { callId: calls, operation };
    const startedAt = clock.now();
    reporter.emit('onCallStart', start);
    const result = await run(start.callId);
    const { attempts, queuedMs, waitedMs } = result;
    const failed = 'error' in result;
    const error = failed ? result.error : undefined;
    const outcome =
      signal?.aborted && failed && Object.is(error, signal.reason) ? 'aborted' : failed ? 'error' : 'success';
    const durationMs = Math.round(clock.now() - startedAt);
    reporter.emit('onCallEnd', { ...start, outcome, attempts, durationMs, queuedMs, waitedMs, error });
    return result;
  };

  return {
    send,
    reportCall,
    call: (operation, input, options, read) =>
      reportCall(operation.id, options?.signal, (callId) => send(callId, operation, input, options, read)),
  };
};
