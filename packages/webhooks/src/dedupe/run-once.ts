import { WebhookError } from '../errors/webhook-error.ts';
import type { DedupeRules, Delivery } from './dedupe-options.ts';
import type { ClaimState } from './dedupe-store.ts';

/** Runs the handlers of a delivery unless it ran before, or runs now; `claimed` if they ran. */
export type RunOnce = (delivery: Delivery, run: () => Promise<void>) => Promise<ClaimState>;

const keyOf = (rules: DedupeRules, delivery: Delivery): string | undefined => {
  const key = rules.key(delivery);
  if (key === undefined || (typeof key === 'string' && key !== '')) return key;
  throw new TypeError(
    `dedupe.key must return a string of at least one character, or undefined, not ${key === '' ? 'an empty string' : typeof key}: deliveries without a key of their own would pass for one another.`,
  );
};

const storeFailed = (method: string, consequence: string, cause: unknown) =>
  new WebhookError('HANDLER_FAILED', `dedupe.store.${method}() failed: ${consequence}`, { cause });

/**
 * Builds the step before the handlers.
 *
 * @param report Is told of a store that failed after the handlers, when the answer no longer depends on it.
 */
export const createRunOnce = (
  rules: DedupeRules,
  report: (error: WebhookError, headers: Headers) => Promise<void>,
): RunOnce => {
  const { store, ttlMs, leaseMs } = rules;
  return async (delivery, run) => {
    const key = keyOf(rules, delivery);
    if (key === undefined) {
      await run();
      return 'claimed';
    }
    const claim = { token: crypto.randomUUID(), ttlMs, leaseMs };
    const state = await store.claim(key, claim);
    if (state !== 'claimed') return state;
    try {
      await run();
    } catch (error) {
      try {
        await store.release(key, claim);
      } catch (cause) {
        const consequence = `a redelivery is answered 409 until its lease of ${leaseMs} ms ends.`;
        await report(storeFailed('release', consequence, cause), delivery.headers);
      }
      throw error;
    }
    try {
      await store.complete(key, claim);
    } catch (cause) {
      // The work is done: an answer of 500 would have it done twice.
      const consequence = 'the handlers have run, but a redelivery would run them again.';
      await report(storeFailed('complete', consequence, cause), delivery.headers);
    }
    return state;
  };
};
