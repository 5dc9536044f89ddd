import { operations } from '../contract/operations.ts';
import type { OperationId } from '../contract/types.ts';
import { ConfigurationError, isConfabError } from '../errors/index.ts';
import type { CallEndEvent, CallStartEvent } from '../hooks/events.ts';
import type { Reporter } from '../hooks/reporter.ts';
import type { CallOptions } from '../options/client-options.ts';
import type { ClientSettings } from '../options/resolve-options.ts';
import { DEFAULT_RETRY_POLICY, resolveCallOptions } from '../options/resolve-options.ts';
import type { Limiter } from '../rate-limit/limiter.ts';
import type { AcquireRefusal, Permit } from '../rate-limit/queue.ts';
import type { KeyHolder } from '../secrecy/key.ts';
import { startTimeLimit } from '../time/time-limit.ts';
import { ApiPromise } from './api-promise.ts';
import { prepareAttempt, sendAttempt } from './attempt.ts';
import { buildRequest } from './build-request.ts';
import { createTotalTimeoutError, formatDuration, toError } from './call-errors.ts';
import type { CallResult, DataOf } from './call-result.ts';
import { checkEnvelope } from './check-response.ts';
import type { RequestEnd } from './outcome.ts';
import { decideRetry, explainRetry, pauseAfter } from './retry.ts';
import type {
  ApiResponse,
  CallEffort,
  CallInput,
  CallOperation,
  RunningRequest,
  StartedCall,
} from './types.ts';

/** Reads the data of a response with a status of 2xx. An asynchronous reader must end with the time limit of the call. */
type ReadData<T> = (response: ApiResponse) => T | Promise<T>;

/** Sends calls. Every method of a resource goes through it. */
export interface Caller {
  /** Makes a call of one request, and reports it to the hooks. It never rejects. */
  makeCall<T>(
    operation: CallOperation,
    input: CallInput,
    options: CallOptions | undefined,
    read: ReadData<T>,
  ): Promise<CallResult<T>>;
  /** Reports a call of several requests, which `run` sends, to the hooks. It never rejects. */
  reportCall<T>(
    operation: CallStartEvent['operation'],
    signal: AbortSignal | undefined,
    run: (started: StartedCall) => Promise<CallResult<T>>,
  ): Promise<CallResult<T>>;
  /** Sends one request of a call. It never rejects. */
  sendRequest<T>(
    started: StartedCall,
    operation: CallOperation,
    input: CallInput,
    options: CallOptions | undefined,
    read: ReadData<T>,
  ): Promise<CallResult<T>>;
}

const waitInQueue = async (
  { clock, maxLookupMs }: ClientSettings,
  limiter: Limiter,
  running: RunningRequest,
): Promise<Permit | AcquireRefusal> => {
  const { options, timeLimit, effort, endsAt, isBulk } = running;
  const since = clock.now();
  try {
    return await limiter.acquire({
      signal: timeLimit.signal,
      isRetry: effort.attempts > 0,
      isBulk,
      // A request holds its slot while the functions `apiKey` and `headers` run.
      leaseMs: options.timeout + maxLookupMs,
      maxPauseMs: (options.retry || DEFAULT_RETRY_POLICY).maxRetryAfter,
      endsAt,
    });
  } catch (error) {
    const waited = `${formatDuration(clock.now() - since)} for ${limiter.waitsFor()}`;
    throw timeLimit.isTimeout(error) ? createTotalTimeoutError(running, waited) : error;
  } finally {
    effort.queuedMs += Math.round(clock.now() - since);
  }
};

/** Returns true if the key now differs from the refused one. If its function fails, the call ends with the 401, which says more. */
const hasNewKey = async (key: KeyHolder, signal: AbortSignal, refused: string): Promise<boolean> => {
  try {
    return (await key.get(signal)).secret !== refused;
  } catch (error) {
    if (error instanceof ConfigurationError && !signal.aborted) {
      return false;
    }
    throw error;
  }
};

const waitToRetry = async (
  clock: ClientSettings['clock'],
  { effort, timeLimit }: RunningRequest,
  delayMs: number,
): Promise<void> => {
  const since = clock.now();
  await clock.sleep(delayMs, timeLimit.signal, 'wait').finally(() => {
    effort.waitedMs += Math.round(clock.now() - since);
  });
};

/** Sends a request, and retries it until `decideRetry` ends it. */
const sendWithRetries = async (
  settings: ClientSettings,
  limiter: Limiter,
  running: RunningRequest,
): Promise<RequestEnd> => {
  const { clock, key, reporter } = settings;
  const { effort, endsAt, freeRetriesMs } = running;
  const { method, idempotent } = running.operation;
  /** A request that changes nothing, whether it was carried out or not. */
  const isRead = idempotent && (method === 'GET' || method === 'HEAD');
  const { retry } = running.options;
  const { signal } = running.timeLimit;
  let retries = 0;
  let firstRefusedAt: number | undefined;
  /** One new key is enough: if it is refused too, the 401 has a different cause. */
  let mayRenewKey = key.mayChange;
  for (;;) {
    const permit = await waitInQueue(settings, limiter, running);
    if (permit.kind !== 'permit') {
      return permit;
    }
    const ready = await prepareAttempt(settings, running);
    if (ready.kind !== 'ready') {
      permit.end({ counts: false });
      return ready;
    }
    if (settings.maxLookupMs > 0 && limiter.isPaused()) {
      // The pause began while the functions `apiKey` and `headers` ran.
      permit.end({ counts: false });
      continue;
    }

    effort.attempts += 1;
    const outcome = await sendAttempt(settings, running, ready);
    effort.mayHaveActed ||= outcome.mayHaveActed && !isRead;
    const now = clock.now();
    const decision = decideRetry(outcome, retry, {
      idempotent,
      retries,
      attempts: effort.attempts,
      remainingMs: endsAt - now,
      hasFreeRetries: now - (firstRefusedAt ?? now) < freeRetriesMs,
      mayRenewKey,
      random: Math.random,
    });
    const response = outcome.kind === 'response' ? outcome : undefined;
    const isRefused = response?.status === 429;
    if (isRefused) {
      // The pause must begin before `permit.end` lets the next call start.
      limiter.pauseFor(pauseAfter(response, decision));
    }
    permit.end({ counts: outcome.kind !== 'unsent' && !isRefused, response });

    if (!decision.again) {
      return outcome;
    }
    const { delayMs, countsAsRetry, needsNewKey } = decision;
    if (needsNewKey) {
      mayRenewKey = false;
      if (!(await hasNewKey(key, signal, ready.key.secret))) {
        return outcome;
      }
    }
    firstRefusedAt ??= isRefused ? now : undefined;
    reporter.emit('onRetry', { ...ready.event, ...explainRetry(outcome), delayMs });
    retries += countsAsRetry ? 1 : 0;
    // A 429 pauses the whole client, so this call waits for the end of the pause in the queue, as all others do.
    if (delayMs > 0 && !isRefused) {
      await waitToRetry(clock, running, delayMs);
    }
  }
};

const NO_EFFORT: CallEffort = { attempts: 0, queuedMs: 0, waitedMs: 0, mayHaveActed: false };

let lastCallId = 0;

export const createCaller = (settings: ClientSettings, limiter: Limiter): Caller => {
  const { clock, key, reporter, startTrace } = settings;

  const makeCall: Caller['makeCall'] = (operation, input, options, read) =>
    reportCall(operation.id, options?.signal, (started) =>
      sendRequest(started, operation, input, options, read),
    );

  const reportCall: Caller['reportCall'] = async (operation, signal, run) => {
    lastCallId += 1;
    const start: CallStartEvent = { callId: lastCallId, operation };
    const startedAt = clock.now();
    const trace = startTrace?.(start);
    reporter.emit('onCallStart', start);
    const callEffort = { ...NO_EFFORT };
    const started = { callId: start.callId, trace, callEffort };
    const result = await (trace ? trace.run(() => run(started)) : run(started));
    const { attempts, queuedMs, waitedMs } = callEffort;
    const failed = 'error' in result;
    const error = failed ? result.error : undefined;
    const isAborted = failed && signal?.aborted && Object.is(error, signal.reason);
    if (failed && callEffort.mayHaveActed && !isAborted && isConfabError(error)) {
      Object.assign(error, { mayHaveActed: true });
    }
    const outcome = isAborted ? 'aborted' : failed ? 'error' : 'success';
    const durationMs = Math.round(clock.now() - startedAt);
    const end: CallEndEvent = { ...start, outcome, attempts, durationMs, queuedMs, waitedMs, error };
    trace?.end(end);
    reporter.emit('onCallEnd', end);
    return result;
  };

  const sendRequest: Caller['sendRequest'] = async (started, operation, input, callOptions, read) => {
    const effort = { ...NO_EFFORT };
    let running: RunningRequest | undefined;
    let response: ApiResponse | undefined;
    try {
      const request = buildRequest(operation, input, callOptions, settings);
      const options = resolveCallOptions(operation, settings.callDefaults, callOptions, key.redact);
      const timeLimit = startTimeLimit(clock, options.totalTimeout, options.signal);
      const endsAt = clock.now() + options.totalTimeout;
      const { isBulk = false, freeRetriesMs = 0 } = input;
      running = { ...started, operation, request, options, isBulk, freeRetriesMs, timeLimit, endsAt, effort };
      const end = await sendWithRetries(settings, limiter, running);
      if (end.kind !== 'response' || end.redirected || end.status < 200 || end.status >= 300) {
        return { error: toError(end, running, settings, limiter), response };
      }
      response = { ...end, running, attempts: effort.attempts };
      return { data: await read(response), response };
    } catch (error) {
      const isLate = running?.timeLimit.isTimeout(error);
      return { error: running && isLate ? createTotalTimeoutError(running) : error, response };
    } finally {
      running?.timeLimit.end();
      const { callEffort } = started;
      callEffort.attempts += effort.attempts;
      callEffort.queuedMs += effort.queuedMs;
      callEffort.waitedMs += effort.waitedMs;
      callEffort.mayHaveActed ||= effort.mayHaveActed;
    }
  };

  return { makeCall, reportCall, sendRequest };
};

/** Calls an operation and resolves with its data. */
export type CallById = <Id extends OperationId>(
  id: Id,
  input: CallInput,
  options?: CallOptions,
) => ApiPromise<DataOf<Id>>;

/** Creates the function that every method of a resource calls, apart from lists. */
export const createCallById =
  ({ makeCall }: Caller, reporter: Reporter): CallById =>
  <Id extends OperationId>(id: Id, input: CallInput, options?: CallOptions) =>
    new ApiPromise(
      makeCall(
        operations[id],
        input,
        options,
        (response): DataOf<Id> => checkEnvelope<Id>(response, reporter).data,
      ),
    );
