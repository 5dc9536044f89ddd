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
 * @param attempts Number of attempts: 0 when it never left the queue.
 * @param wait What the call waited for, when it waited.
 * @param doubt What to add to the message if the service may have acted.
 */
export const deadlineError = (
  { operation, label }: CallNames,
  deadline: number,
  attempts: number,
  { wait, doubt = '' }: { readonly wait?: string | undefined; readonly doubt?: string } = {},
): TimeoutError => {
  const sent = attempts === 0 ? 'nothing was sent' : 'it was not sent again';
  const after = attempts === 0 ? `: ${sent}` : ' after it was sent';
  const what =
    wait === undefined
      ? `exceeded its deadline of ${deadline} ms${after}`
      : `waited ${wait} until its deadline of ${deadline} ms: ${sent}`;
  const advice = attempts === 0 || doubt === '' ? ' For bulk work, raise `deadline`.' : doubt;
  return new TimeoutError(`${label} ${what}.${advice}`, { kind: 'deadline', operation, attempts });
};

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
