import type { Limiter } from '../../src/rate-limit/limiter.ts';
import type { AcquireOptions, AcquireRefusal, Permit } from '../../src/rate-limit/queue.ts';

const never = new AbortController().signal;

/** Asks a limiter for a call that waits out every pause, unless the options say otherwise. */
const ask = (limiter: Limiter, options: Partial<AcquireOptions> = {}): Promise<Permit | AcquireRefusal> =>
  limiter.acquire({
    signal: never,
    isRetry: false,
    isBulk: false,
    leaseMs: 30_000,
    maxPauseMs: Number.POSITIVE_INFINITY,
    endsAt: Number.POSITIVE_INFINITY,
    ...options,
  });

/** Acquires the permit of a call; rejects with the refusal of one that is refused. */
export const acquire = async (limiter: Limiter, options?: Partial<AcquireOptions>): Promise<Permit> => {
  const result = await ask(limiter, options);
  if (result.kind !== 'permit') {
    throw result;
  }
  return result;
};
