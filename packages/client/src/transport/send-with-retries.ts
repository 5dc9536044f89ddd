import type { Operation } from '../contract/index.ts';
import { operations } from '../contract/index.ts';
import type { OperationId } from '../contract/types/index.ts';
import { RateLimitError } from '../errors/index.ts';
import type { CallFacts, RetryFacts } from '../options/hooks.ts';
import type { CallOptions } from '../options/options.ts';
import type { Config } from '../options/resolve-client-options.ts';
import type { Limiter } from '../rate-limit/limiter.ts';
import type { AttemptResult } from '../retry/decide-retry.ts';
import { decideRetry, defaultRetryPolicy } from '../retry/decide-retry.ts';
import { startLifetime } from '../time/lifetime.ts';
import type { Input } from './build-request.ts';
import { prepareRequest } from './build-request.ts';
import { deadlineError } from './deadline-error.ts';
import { isFinalFailure } from './is-final-failure.ts';
import type { ReadAnswer } from './read-outcome/decode-envelope.ts';
import { successOf } from './read-outcome/decode-envelope.ts';
import { failureOf } from './read-outcome/to-error.ts';
import { exchange } from './read-response.ts';

/** Carries an operation out: place in the limiter, attempt, repeat. Resolves with the answer of a 2xx. */
export type Caller = (id: OperationId, input: Input, options?: CallOptions) => Promise<ReadAnswer>;

/**
 * Milliseconds that an answer which nobody waits out may pause the others for; after that, one of them finds out how
 * things stand.
 */
const LONGEST_PAUSE = 3_600_000;

const retryReason = (result: AttemptResult): Pick<RetryFacts, 'reason' | 'status'> =>
  result.kind === 'response'
    ? { reason: result.status === 429 ? 'rate-limit' : 'status', status: result.status }
    : { reason: result.kind, status: undefined };

export const createCaller =
  (config: Config, limiter: Limiter): Caller =>
  async (id, input, options = {}) => {
    const { clock, key, report } = config;
    const operation: Operation = operations[id];
    const request = prepareRequest(id, input, key.redact);
    const settings = config.settle(operation, options);
    const life = startLifetime(clock, settings.deadline, options.signal);
    let attempts = 0;
    let repeats = 0;
    let rateLimited = 0;

    /** Refuses to wait for the end of a pause that is too far off. */
    const refuse = (pausedUntil: number) => {
      const retryAfterMs = Math.ceil(pausedUntil - clock.now());
      const { maxRetryAfter: most } = settings.retry || defaultRetryPolicy;
      if (retryAfterMs <= most && retryAfterMs < life.left()) {
        return;
      }
      const { limit, remaining } = limiter.snapshot();
      throw new RateLimitError(
        `${id} was not sent${attempts === 0 ? '' : ' again'}: after a 429 the client is paused for another ${retryAfterMs} ms, which is more than \`retry.maxRetryAfter\` or the deadline allow.`,
        {
          status: 429,
          code: 'RATE_LIMIT_EXCEEDED',
          detail: undefined,
          operation: id,
          attempts,
          headers: {},
          limit,
          remaining,
          retryAfterMs,
        },
      );
    };

    /** Sends once. Gives the answer, or how long to wait before the next attempt. */
    const step = async (): Promise<ReadAnswer | number> => {
      const permit = await limiter.acquire({ signal: life.signal, retry: attempts > 0, refuse });
      let refused = false;
      let sent = false;
      try {
        const secret = await key.get(life.signal);
        const redact = key.redactWith(secret);
        attempts += 1;
        sent = true;
        const facts: CallFacts = Object.freeze({
          operation: id,
          method: operation.method,
          // The key should not be in it; a search for the key would put it there.
          url: redact(config.baseUrl + request.path),
          attempt: attempts,
        });
        const ended = await exchange(config, secret, redact, request, facts, settings, life.signal);
        const result: AttemptResult =
          ended.kind === 'response'
            ? { kind: 'response', status: ended.status, retryAfterMs: ended.rateLimit.retryAfterMs }
            : {
                kind: ended.kind === 'timeout' ? 'timeout' : 'connection',
                final:
                  ended.kind === 'oversized' || (ended.kind === 'connection' && isFinalFailure(ended.error)),
              };
        const decision = decideRetry(result, settings.retry, {
          idempotent: operation.idempotent,
          repeats,
          rateLimited,
          remaining: life.left(),
          random: Math.random,
        });

        if (ended.kind === 'response') {
          // A proxy's answer may carry a limit too, of its own.
          if (typeof successOf(ended.body) === 'boolean') {
            limiter.observe(ended.rateLimit);
          }
          refused = ended.status === 429;
          const pause = decision.again
            ? decision.delayMs
            : Math.min(ended.rateLimit.retryAfterMs ?? 0, LONGEST_PAUSE);
          // Before the place is given back, so that the next in line meets the pause.
          if (refused) {
            limiter.pause(clock.now() + pause);
          }
        }
        if (decision.again) {
          report.retry({ ...facts, ...retryReason(result), delayMs: decision.delayMs });
          if (decision.counts) {
            repeats += 1;
            input.onLostAnswer?.();
          } else {
            rateLimited += 1;
          }
          // After a 429 the limiter's pause is the wait.
          return refused ? 0 : decision.delayMs;
        }
        const failure = failureOf(ended, facts, settings.timeout, config, redact);
        if (failure !== undefined || ended.kind !== 'response') {
          throw failure;
        }
        return { ...ended, operation: id, attempts, redact };
      } finally {
        permit.release(sent && !refused);
      }
    };

    try {
      for (;;) {
        const next = await step();
        if (typeof next !== 'number') {
          return next;
        }
        if (next > 0) {
          await clock.sleep(next, life.signal, 'wait');
        }
      }
    } catch (error) {
      throw life.isDeadline(error) ? deadlineError(id, settings.deadline, attempts) : error;
    } finally {
      life.end();
    }
  };
