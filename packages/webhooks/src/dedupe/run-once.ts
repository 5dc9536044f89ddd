import { WebhookError } from '../errors.ts';
import { runUserCodeInTime, settlesWithin } from '../run-in-time.ts';
import type { DedupeClaim, DedupeStore } from './dedupe-store.ts';
import type { Inbox } from './inbox.ts';

/**
 * Milliseconds that a response waits for `complete()` or `release()`. A healthy store finishes in that time, so the next
 * delivery finds the right state, and no sender notices the delay.
 */
const STORE_GRACE_MS = 250;

/** Records the end of a run. Resolves to an error if the store fails. */
const recordEnd = async (
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
 * Returns a function that runs the handlers of a delivery, unless the store says that they have run or are running.
 * Handlers get no transaction.
 */
export const createRunOnce =
  (store: DedupeStore, times: Pick<DedupeClaim, 'ttlMs' | 'leaseMs'>): Inbox['run'] =>
  async (key, _, handle) => {
    if (key === undefined) {
      return { state: 'claimed', failure: await handle(undefined) };
    }
    const claim = { ...times, token: crypto.randomUUID() };
    const state = await runUserCodeInTime(
      'dedupe.store.claim()',
      () => store.claim(key, claim),
      (late) => late === 'claimed' && store.release(key, claim),
    );
    if (state !== 'claimed') {
      return { state };
    }
    const failure = await handle(undefined);
    // Once the handlers have run, a failure of the store must not fail the response: the sender would retry, and the
    // handlers would run again.
    const recorded = recordEnd(store, failure === undefined ? 'complete' : 'release', key, claim);
    await settlesWithin(STORE_GRACE_MS, recorded);
    return { state, failure, recorded };
  };
