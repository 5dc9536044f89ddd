import { NOT_RUN, runUserCode, WebhookError } from '../errors.ts';
import type { Dedupe } from './dedupe-options.ts';
import type { ClaimState, DedupeClaim, DedupeStore } from './dedupe-store.ts';
import { claimWithin, settledWithin } from './settled-within.ts';

/** How a run went. */
export interface RunResult {
  readonly state: ClaimState;
  /** What the handlers failed with. */
  readonly failure?: WebhookError | undefined;
  /** Resolves once the store knows about the end of the run, or to the error if it failed. No response depends on it. */
  readonly recorded?: Promise<WebhookError | undefined> | undefined;
}

/**
 * Milliseconds that a response waits for `complete()` or `release()`. A healthy store finishes in that time, so the next
 * delivery finds the right state, and no sender notices the delay.
 */
const STORE_GRACE_MS = 250;

/** Milliseconds that `claim()` may take. The handlers must wait for it, and the sender waits for a response. */
const CLAIM_LIMIT_MS = 5_000;

const CLAIM_STATES: readonly unknown[] = ['claimed', 'running', 'completed'] satisfies ClaimState[];

const checkState = (state: unknown, key: string): ClaimState => {
  if (CLAIM_STATES.includes(state)) {
    return state as ClaimState;
  }
  throw new WebhookError(
    'RECEIVER_FAILED',
    `dedupe.store.claim() must return one of ${CLAIM_STATES.join(', ')}, got ${JSON.stringify(state)?.slice(0, 40)} for the key ${key}. ${NOT_RUN}`,
  );
};

/** Claims the key. A store that takes too long fails the delivery. */
const claimInTime = (store: DedupeStore, key: string, claim: DedupeClaim): Promise<unknown> =>
  claimWithin(CLAIM_LIMIT_MS, (async () => store.claim(key, claim))(), {
    release: () => store.release(key, claim),
    error: () =>
      new WebhookError(
        'RECEIVER_FAILED',
        `dedupe.store.claim() took longer than ${CLAIM_LIMIT_MS} ms. ${NOT_RUN}`,
      ),
  });

/** Records the end of a run. Resolves to an error if the store fails. */
const record = async (
  store: DedupeStore,
  method: 'complete' | 'release',
  key: string,
  claim: DedupeClaim,
): Promise<WebhookError | undefined> => {
  try {
    await store[method](key, claim);
    return undefined;
  } catch (cause) {
    const consequence =
      method === 'complete' ? 'redeliveries run again' : `redeliveries are refused for ${claim.leaseMs} ms`;
    return new WebhookError('RECEIVER_FAILED', `dedupe.store.${method}() failed: ${consequence}.`, { cause });
  }
};

/**
 * Runs the handlers of a delivery, unless the store of `dedupe` says that they have run or are running.
 *
 * @param key What identifies the delivery. Without it, the handlers always run.
 * @param run Resolves to what the handlers failed with.
 * @throws {@link WebhookError} When the store cannot tell, with `code: 'RECEIVER_FAILED'`.
 */
export const runOnce = async (
  key: string | undefined,
  dedupe: Dedupe | undefined,
  run: () => Promise<WebhookError | undefined>,
): Promise<RunResult> => {
  if (key === undefined || dedupe === undefined) {
    return { state: 'claimed', failure: await run() };
  }
  const { store, ttlMs, leaseMs } = dedupe;
  const claim = { token: crypto.randomUUID(), ttlMs, leaseMs };
  const state = checkState(
    await runUserCode('dedupe.store.claim()', () => claimInTime(store, key, claim)),
    key,
  );
  if (state !== 'claimed') {
    return { state };
  }
  const failure = await run();
  // Once the work is done, the response must not fail with the store: the sender would have it done again.
  const recorded = record(store, failure === undefined ? 'complete' : 'release', key, claim);
  await settledWithin(STORE_GRACE_MS, recorded);
  return { state, failure, recorded };
};
