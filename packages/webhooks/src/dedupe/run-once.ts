import { WebhookError } from '../errors/webhook-error.ts';
import type { AfterResponse } from '../timing/after-response.ts';
import { settledWithin } from '../timing/settled-within.ts';
import type { DedupeRules, Delivery } from './dedupe-options.ts';
import type { ClaimState, DedupeClaim } from './dedupe-store.ts';
import { NOT_RUN, storeKey } from './store-key.ts';

/** Runs the handlers of a delivery unless they have run or are running. Resolves to `claimed` if they ran. */
export type RunOnce = (
  delivery: Delivery,
  run: () => Promise<void>,
  after: AfterResponse,
) => Promise<ClaimState>;

/**
 * Milliseconds that a response waits for `complete()` or `release()`. A healthy store finishes in that time, so the next
 * delivery finds the right state, and no sender notices the delay.
 */
const STORE_GRACE_MS = 250;

/** Milliseconds that `claim()` may take. The handlers must wait for it, and the sender waits for a response. */
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
    `dedupe.store.claim() must return "claimed", "running" or "completed", got ${shown}. ${NOT_RUN}`,
  );
};

/**
 * Creates the step before the handlers.
 *
 * @param report Called when the store fails after the handlers, when the response no longer depends on it.
 */
export const createRunOnce = (
  rules: DedupeRules,
  report: (error: WebhookError, headers: Headers) => Promise<void>,
): RunOnce => {
  const { store, ttlMs, leaseMs } = rules;

  /** Records the end of a run. The response is settled by now, so it does not fail with the store or wait for it long. */
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

  /** Claims the key. A store that takes too long fails the delivery; if it claims the key later, that is released. */
  const claimInTime = (key: string, claim: DedupeClaim): Promise<unknown> =>
    new Promise((resolve, reject) => {
      let late = false;
      const timer = setTimeout(() => {
        late = true;
        reject(
          new WebhookError(
            'HANDLER_FAILED',
            `dedupe.store.claim() took longer than ${CLAIM_LIMIT_MS} ms. ${NOT_RUN}`,
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
    // A signed id needs no hash of the body, because no attacker can choose it: docs/decisions/0208.
    const key = rules.key ? await storeKey(rules.key(delivery), delivery.body) : delivery.id;
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
      const consequence = `redeliveries get a 409 response until the lease of ${leaseMs} ms ends.`;
      await conclude('release', key, claim, { consequence, headers, after });
      throw error;
    }
    // The work is done. With a 500 response, the sender would have it done again.
    const consequence = 'the handlers ran, and would run again for a redelivery.';
    await conclude('complete', key, claim, { consequence, headers, after });
    return state;
  };
};
