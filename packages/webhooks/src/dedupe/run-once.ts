import { naming } from '../errors/naming.ts';
import { WebhookError } from '../errors/webhook-error.ts';
import type { AfterResponse } from '../timing/after-response.ts';
import { settledWithin } from '../timing/settled-within.ts';
import type { DedupeRules } from './dedupe-options.ts';
import type { ClaimState, DedupeClaim } from './dedupe-store.ts';
import { NOT_RUN } from './store-key.ts';

/** What identifies a delivery. */
interface Identity {
  /** The key in the store. */
  readonly key: string;
  /** The headers for `onError` handlers. */
  readonly headers: Headers;
}

/** Runs the handlers of a delivery unless they have run or are running. Resolves to `claimed` if they ran. */
export type RunOnce = (
  identity: Identity,
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
  throw new WebhookError(
    'HANDLER_FAILED',
    `dedupe.store.claim() must return one of ${CLAIM_STATES.join(', ')}; got ${JSON.stringify(state)?.slice(0, 40)}. ${NOT_RUN}`,
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

  /** Claims the key. A store that takes too long fails the delivery; if it claims the key later, that is released. */
  const claimInTime = async (key: string, claim: DedupeClaim): Promise<unknown> => {
    const claiming = (async () => store.claim(key, claim))();
    const ended = claiming.catch(() => {});
    if (await settledWithin(CLAIM_LIMIT_MS, ended)) {
      return claiming;
    }
    ended.then((state) => (state === 'claimed' ? store.release(key, claim) : undefined)).catch(() => {});
    throw new WebhookError(
      'HANDLER_FAILED',
      `dedupe.store.claim() took longer than ${CLAIM_LIMIT_MS} ms. ${NOT_RUN}`,
    );
  };

  return async ({ key, headers }, run, after) => {
    const claim = { token: crypto.randomUUID(), ttlMs, leaseMs };
    const state = checkedState(await naming('dedupe.store.claim()', () => claimInTime(key, claim)));
    if (state !== 'claimed') {
      return state;
    }

    /** Records the end of the run. The response is settled by now, so it does not fail with the store or wait for it long. */
    const conclude = async (method: 'complete' | 'release', consequence: string): Promise<void> => {
      const failure = (async () => store[method](key, claim))().then(
        () => undefined,
        (cause: unknown) =>
          new WebhookError('HANDLER_FAILED', `dedupe.store.${method}() failed: ${consequence}`, { cause }),
      );
      await settledWithin(STORE_GRACE_MS, failure);
      after(() => failure.then((error) => error && report(error, headers)));
    };

    try {
      await run();
    } catch (error) {
      await conclude('release', `redeliveries are refused for ${leaseMs} ms.`);
      throw error;
    }
    // The work is done. With a 500 response, the sender would have it done again.
    await conclude('complete', 'redeliveries run again.');
    return state;
  };
};
