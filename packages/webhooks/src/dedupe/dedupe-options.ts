import { checkThat, hasMethods } from '@confab/internal';
import { checkOptions } from '../option-checks.ts';
import type { SignatureReader } from '../signature/scheme.ts';
import type { DedupeStore } from './dedupe-store.ts';
import type { VerifiedDelivery } from './delivery-id.ts';
import type { Inbox } from './inbox.ts';
import { createMemoryDedupeStore } from './memory-dedupe-store.ts';
import { createRunOnce } from './run-once.ts';

/** How redeliveries are recognized. */
export interface DedupeOptions {
  /**
   * Returns a key that all deliveries of one event share and no other delivery has. The handlers always run if it returns
   * `undefined`.
   *
   * It is required unless the scheme signs the id of a delivery, because the payload has no id, and two customers may both
   * write "ok". If the sender puts an id of the delivery into a header, use that. Headers are not signed, so the store
   * receives the key together with the SHA-256 of the body: a delivery is a repeat only if both are the same. A key is
   * replaced by its SHA-256 unless it consists of at most 256 letters, digits, `-` and `_`, and is not an integer.
   * @default the signed id, with `standardWebhooks()`
   */
  key?: ((delivery: VerifiedDelivery) => string | undefined) | undefined;
  /**
   * The store that remembers the keys.
   * @default a store in memory for 10,000 keys
   */
  store?: DedupeStore | undefined;
  /**
   * Seconds for which a key is remembered after its handlers have run. Set it longer than the sender retries; at least
   * the `toleranceSeconds` of the signature, if it has a timestamp, and at most 10 years.
   * @default 86_400, or `toleranceSeconds` if that is more
   */
  ttlSeconds?: number | undefined;
  /**
   * Seconds after which a run that neither completed nor failed (because its process died) no longer blocks others. Set
   * it longer than the slowest handler runs, and shorter than the sender retries; at most 10 years.
   * @default 60
   */
  leaseSeconds?: number | undefined;
}

/** Ten years. Redis refuses an expiry that overflows its clock. */
const MAX_SECONDS = 315_360_000;

/**
 * Validates the dedupe options, and returns an inbox: the one that was passed, or one that claims keys of the store.
 *
 * @throws {@link WebhookConfigurationError} When an option is invalid.
 */
export const createInbox = (
  dedupe: DedupeOptions | Inbox,
  now: () => number,
  { signsId, toleranceSeconds }: Pick<SignatureReader, 'signsId' | 'toleranceSeconds'>,
): Inbox => {
  const inbox = hasMethods(dedupe, 'run') ? (dedupe as Inbox) : undefined;
  const options: DedupeOptions = inbox ? { key: inbox.key } : (dedupe as DedupeOptions);
  // A captured delivery can be sent again for as long as its timestamp is accepted.
  const isDuration = (min: number) =>
    checkThat(
      (value) => typeof value === 'number' && value > 0 && value >= min && value <= MAX_SECONDS,
      `a positive number up to ${MAX_SECONDS}${min > 0 ? `, at least toleranceSeconds (${min})` : ''}`,
    );
  const because = signsId ? '' : ', because this scheme signs no id';
  checkOptions(
    'field of dedupe',
    options,
    {
      key: checkThat((key) => typeof key === 'function', `a function${because}`),
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
