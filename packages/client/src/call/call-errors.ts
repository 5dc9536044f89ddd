import type { RateLimitInfo } from '../errors/index.ts';
import { RateLimitError, RateLimitStoreError, TimeoutError } from '../errors/index.ts';
import { describeCause } from '../errors/redaction.ts';
import type { RetryPolicy } from '../options/retry-policy.ts';
import type { Refusal } from '../rate-limit/limiter.ts';
import type { ApiRequest } from './check-input.ts';
import { inWords } from './in-words.ts';

type Names = Pick<ApiRequest, 'operation' | 'label'>;

/** Returns what an error adds when the service may have acted on a request that is not idempotent. */
export const doubtAbout = (retry: RetryPolicy | false): string => {
  const advice = retry !== false && retry.nonIdempotent ? '' : ', or set `retry.nonIdempotent`';
  return ` The service may have acted: check before you send it again${advice}.`;
};

/**
 * Creates the error of a call whose deadline has passed.
 *
 * @param attempts Number of attempts: 0 when it never left the queue.
 * @param wait What the call waited for, when it waited.
 * @param doubt What to add to the message if the service may have acted.
 */
export const totalTimeoutError = (
  { operation, label }: Names,
  totalTimeout: number,
  attempts: number,
  { wait, doubt = '' }: { readonly wait?: string | undefined; readonly doubt?: string } = {},
): TimeoutError => {
  const sent = attempts === 0 ? 'nothing was sent' : 'it was not sent again';
  const after = attempts === 0 ? `: ${sent}` : ' after it was sent';
  const what =
    wait === undefined
      ? `exceeded its total timeout of ${totalTimeout} ms${after}`
      : `waited ${wait} until its total timeout of ${totalTimeout} ms: ${sent}`;
  const advice = attempts === 0 || doubt === '' ? ' For bulk work, raise `totalTimeout`.' : doubt;
  return new TimeoutError(`${label} ${what}.${advice}`, { kind: 'total', operation, attempts });
};

/** Creates the error of a call that the limiter has refused. */
export const refusalError = (
  refusal: Refusal,
  { operation, label }: Names,
  attempts: number,
  { limit, remaining }: Pick<RateLimitInfo, 'limit' | 'remaining'>,
): RateLimitError | RateLimitStoreError => {
  if (refusal.refused === 'store-failed') {
    const { cause } = refusal;
    return new RateLimitStoreError({ operation, label, attempts }, cause, describeCause(cause));
  }
  const { retryAfterMs } = refusal;
  return new RateLimitError(
    `${label} was not sent${attempts === 0 ? '' : ' again'}: after a 429 the client is paused for another ${inWords(retryAfterMs)}, longer than \`retry.maxRetryAfter\` or \`totalTimeout\` allows.`,
    {
      status: 429,
      code: 'RATE_LIMIT_EXCEEDED',
      detail: undefined,
      operation,
      attempts,
      headers: {},
      limit,
      remaining,
      retryAfterMs,
    },
  );
};
