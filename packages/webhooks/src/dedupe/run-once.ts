import { WebhookError } from '../errors/webhook-error.ts';
import type { AfterResponse } from '../timing/after-response.ts';
import { settledWithin } from '../timing/settled-within.ts';
import type { DedupeRules, Delivery } from './dedupe-options.ts';
import type { ClaimState, DedupeClaim } from './dedupe-store.ts';
import { storeKey } from './store-key.ts';

/** Runs the handlers of a delivery unless it ran before, or runs now; `claimed` if they ran. */
export type RunOnce = (
  delivery: Delivery,
  run: () => Promise<void>,
  after: AfterResponse,
) => Promise<ClaimState>;

/**
 * Milliseconds that a response waits for `complete()` or `release()`: long enough for a healthy store, so that the
 * next delivery finds the key as it should be, and too short for a sender to notice.
 */
const STORE_GRACE_MS = 250;

/** Milliseconds for `claim()`. Without an answer from the store nothing may run, and a sender waits for its answer. */
const CLAIM_LIMIT_MS = 5_000;

const CLAIM_STATES: readonly unknown[] = ['claimed', 'running', 'completed'] satisfies ClaimState[];

const checkedState = (state: unknown): ClaimState => {
  if (CLAIM_STATES.includes(state)) {
    return state as ClaimState;
  }
  const shown =
    typeof state === 'string' ? JSON.stringify(state.slice(0, 40)) : state === null ? 'null' : typeof state;
  throw new WebhookError(
    'HANDLER_FAILED',
    `dedupe.store.claim() must return "claimed", "running" or "completed", but returned ${shown}. Nothing was run; the response is 500, so that the sender delivers it again.`,
  );
};

/**
 * Builds the step before the handlers.
 *
 * @param report Is told of a store that failed after the handlers, when the response no longer depends on it.
 */
export const createRunOnce = (
  rules: DedupeRules,
  report: (error: WebhookError, headers: Headers) => Promise<void>,
): RunOnce => {
  const { store, ttlMs, leaseMs } = rules;

  /** Tells the store how a run ended. The response is certain by now: it neither fails nor waits for long with the store. */
  const conclude = async (
    method: 'complete' | 'release',
    key: string,
    claim: DedupeClaim,
    { consequence, headers, after }: { consequence: string; headers: Headers; after: AfterResponse },
  ): Promise<void> => {
    const failure = (async () => store[method](key, claim))().then(
      () => undefined,
      (cause: unknown) =>
        new WebhookError('HANDLER_FAILED', `dedupe.store.${method}() failed: ${consequence}`, { cause }),
    );
    await settledWithin(STORE_GRACE_MS, failure);
    after(async () => {
      const error = await failure;
      if (error !== undefined) {
        await report(error, headers);
      }
    });
  };

  /** Claims the key. A store that takes too long fails the delivery, and what it claims after that is released again. */
  const claimInTime = (key: string, claim: DedupeClaim): Promise<unknown> =>
    new Promise((resolve, reject) => {
      let late = false;
      const timer = setTimeout(() => {
        late = true;
        reject(
          new WebhookError(
            'HANDLER_FAILED',
            `dedupe.store.claim() took longer than ${CLAIM_LIMIT_MS} ms. Nothing was run; the response is 500, so that the sender delivers it again.`,
          ),
        );
      }, CLAIM_LIMIT_MS);
      const claiming = (async () => store.claim(key, claim))();
      claiming.then(resolve, reject).finally(() => clearTimeout(timer));
      claiming
        .then((state) => (late && state === 'claimed' ? store.release(key, claim) : undefined))
        .catch(() => {});
    });

  return async (delivery, run, after) => {
    const key = await storeKey(rules.key(delivery), delivery.body);
    if (key === undefined) {
      await run();
      return 'claimed';
    }
    const claim = { token: crypto.randomUUID(), ttlMs, leaseMs };
    const state = checkedState(await claimInTime(key, claim));
    if (state !== 'claimed') {
      return state;
    }
    const { headers } = delivery;
    try {
      await run();
    } catch (error) {
      const consequence = `a redelivery is answered 409 until its lease of ${leaseMs} ms ends.`;
      await conclude('release', key, claim, { consequence, headers, after });
      throw error;
    }
    // The work is done: an answer of 500 would have it done twice.
    const consequence = 'the handlers have run, but a redelivery would run them again.';
    await conclude('complete', key, claim, { consequence, headers, after });
    return state;
  };
};
