import { checkThat, hasMethods } from '@confab/internal';
import { checkOptions } from '../option-checks.ts';
import type { SignatureReader } from '../signature/scheme.ts';
import type { DedupeStore } from './dedupe-store.ts';
import type { DedupeKey } from './delivery-id.ts';
import type { Inbox } from './inbox.ts';
import { createMemoryDedupeStore } from './memory-dedupe-store.ts';
import { createRunOnce } from './run-once.ts';

/** Options for recognizing redeliveries. */
export interface DedupeOptions extends DedupeKey {
  /**
   * The store that remembers the keys.
   * @default a store in memory for 10,000 keys
   */
  store?: DedupeStore | undefined;
  /**
   * Seconds for which a key is remembered after the handlers have succeeded. Must be at least the `toleranceSeconds` of a
   * signature with a timestamp, and should exceed the period in which the sender redelivers. At most 10 years.
   * @default 86_400, or `toleranceSeconds` if that is more
   */
  ttlSeconds?: number | undefined;
  /**
   * Seconds after which a run that neither completed nor failed, because its process died, no longer blocks redeliveries.
   * Must exceed the time of the slowest handler, and should be shorter than the period in which the sender redelivers. At
   * most 10 years.
   * @default 60
   */
  leaseSeconds?: number | undefined;
}

/** Ten years. Redis refuses an expiry that overflows its clock. */
const MAX_SECONDS = 315_360_000;

/**
 * Validates the option `dedupe`. Returns the inbox that was passed, or creates one that claims keys in the store.
 *
 * @throws A {@link WebhookConfigurationError} when an option is invalid.
 */
export const createInbox = (
  dedupe: DedupeOptions | Inbox,
  now: () => number,
  { signsId, toleranceSeconds }: Pick<SignatureReader, 'signsId' | 'toleranceSeconds'>,
): Inbox => {
  const inbox = hasMethods(dedupe, 'run') ? (dedupe as Inbox) : undefined;
  const options: DedupeOptions = inbox ? { key: inbox.key } : (dedupe as DedupeOptions);
  // A captured delivery can be sent again until its timestamp is too old.
  const isDuration = (min: number) =>
    checkThat(
      (value) => typeof value === 'number' && value > 0 && value >= min && value <= MAX_SECONDS,
      `a positive number up to ${MAX_SECONDS}${min > 0 ? `, at least toleranceSeconds (${min})` : ''}`,
    );
  const reason = signsId ? '' : ', because this scheme signs no id';
  checkOptions(
    'dedupe field',
    options,
    {
      key: checkThat((key) => typeof key === 'function', `a function${reason}`),
      store: checkThat(
        (store) => hasMethods(store, 'claim', 'complete', 'release'),
        'a store with claim(), complete() and release()',
      ),
      ttlSeconds: isDuration(toleranceSeconds),
      leaseSeconds: isDuration(0),
    },
    signsId ? [] : ['key'],
    'dedupe.',
  );
  if (inbox !== undefined) {
    return inbox;
  }
  const { key, store = createMemoryDedupeStore({ now }), leaseSeconds = 60 } = options;
  const { ttlSeconds = Math.max(86_400, toleranceSeconds) } = options;
  const times = { ttlMs: Math.ceil(ttlSeconds * 1000), leaseMs: Math.ceil(leaseSeconds * 1000) };
  return { key, run: createRunOnce(store, times) };
};
