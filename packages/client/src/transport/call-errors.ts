import type { OperationName } from '../contract/types.ts';
import type { RateLimitInfo } from '../errors/index.ts';
import { RateLimitError, TimeoutError } from '../errors/index.ts';
import { inWords } from './in-words.ts';

export interface CallNames {
  readonly operation: OperationName;
  /** What messages call the call. */
  readonly label: string;
}

/**
 * Creates the error of a call whose deadline has passed.
 *
 * @param attempts Number of times the request was sent: 0 when it never left the queue.
 * @param doubt What to add to the message if the service may have acted.
 */
export const deadlineError = (
  { operation, label }: CallNames,
  deadline: number,
  attempts: number,
  doubt = '',
): TimeoutError =>
  new TimeoutError(
    `${label} exceeded its deadline of ${deadline} ms ${attempts === 0 ? 'in the queue: nothing was sent' : 'after it was sent'}.${attempts === 0 || doubt === '' ? ' For bulk work, raise `deadline`.' : doubt}`,
    { kind: 'deadline', operation, attempts },
  );

/** Creates the error of a call that cannot wait until the client's pause after a 429 ends. */
export const pausedError = (
  { operation, label }: CallNames,
  attempts: number,
  rateLimit: RateLimitInfo,
): RateLimitError =>
  new RateLimitError(
    `${label} was not sent${attempts === 0 ? '' : ' again'}: after a 429 the client is paused for another ${inWords(rateLimit.retryAfterMs ?? 0)}, longer than \`retry.maxRetryAfter\` or the deadline allows.`,
    {
      status: 429,
      code: 'RATE_LIMIT_EXCEEDED',
      detail: undefined,
      operation,
      attempts,
      headers: {},
      ...rateLimit,
    },
  );
