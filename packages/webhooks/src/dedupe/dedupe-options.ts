import { namesOf } from '@confab/internal';
import { WebhookConfigurationError } from '../errors/webhook-configuration-error.ts';
import { checkNames } from '../options/check-names.ts';
import { functionOf, positiveNumber } from '../options/check-values.ts';
import type { DedupeStore } from './dedupe-store.ts';
import { createMemoryDedupeStore } from './memory-dedupe-store.ts';

/** A genuine delivery, from which `dedupe.key` derives a key. */
export interface VerifiedDelivery {
  /** The name of the event. */
  readonly event: string;
  /** The data of the event, as it was sent. If its name has a schema, it has passed validation. */
  readonly data: unknown;
  /** All headers of the delivery. They are not signed, except for those that the scheme signs. */
  readonly headers: Headers;
  /** The body. It is signed. */
  readonly body: Uint8Array;
  /** The id of the delivery, if the scheme signs one, as `standardWebhooks()` does. */
  readonly id: string | undefined;
}

/** How redeliveries are recognized. */
export interface DedupeOptions {
  /**
   * Returns a key that all deliveries of one event share and no other delivery has. The handlers always run if it returns
   * `undefined`.
   *
   * It is required unless the scheme signs the id of a delivery, because the payload has no id, and two customers may both
   * write "ok". If the sender puts an id of the delivery into a header, use that. Headers are not signed, so the store
   * receives the key together with the SHA-256 of the body: a delivery is a repeat only if both are the same. A key of more
   * than 256 characters is replaced by its SHA-256.
   * @default the signed id, with `standardWebhooks()`
   */
  key?: ((delivery: VerifiedDelivery) => string | undefined) | undefined;
  /**
   * The store that remembers the keys.
   * @default a store in memory for 10,000 keys
   */
  store?: DedupeStore | undefined;
  /**
   * Seconds for which a key is remembered after its handlers have run. Set it longer than the sender retries; at most
   * 10 years.
   * @default 86_400
   */
  ttlSeconds?: number | undefined;
  /**
   * Seconds after which a run that neither completed nor failed (because its process died) no longer blocks others. Set
   * it longer than the slowest handler runs, and shorter than the sender retries; at most 10 years.
   * @default 60
   */
  leaseSeconds?: number | undefined;
}

const NAMES = /* @__PURE__ */ namesOf<DedupeOptions>({
  key: true,
  store: true,
  ttlSeconds: true,
  leaseSeconds: true,
});

/** {@link DedupeOptions} after validation, with the defaults applied. */
export interface DedupeRules {
  /** `undefined` for the signed id. */
  readonly key: ((delivery: VerifiedDelivery) => unknown) | undefined;
  readonly store: DedupeStore;
  readonly ttlMs: number;
  readonly leaseMs: number;
}

/** Ten years. Redis refuses an expiry that overflows its clock. */
const MAX_SECONDS = 315_360_000;

const milliseconds = (seconds: number, option: string): number => {
  if (positiveNumber(seconds, option) <= MAX_SECONDS) {
    return Math.ceil(seconds * 1000);
  }
  throw new WebhookConfigurationError(
    `${option} must be a positive number up to ${MAX_SECONDS}, got ${seconds}.`,
  );
};

/**
 * Validates the dedupe options.
 *
 * @throws {@link WebhookConfigurationError} When an option is invalid.
 */
export const dedupeRules = (options: DedupeOptions, now: () => number, signsId: boolean): DedupeRules => {
  checkNames('field of dedupe', options, NAMES);
  const { key, store = createMemoryDedupeStore({ now }), ttlSeconds = 86_400, leaseSeconds = 60 } = options;
  if (typeof key !== 'function' && !(signsId && key === undefined)) {
    throw new WebhookConfigurationError('dedupe.key must be a function, because this scheme signs no id.');
  }
  for (const method of ['claim', 'complete', 'release'] as const) {
    functionOf(store?.[method], `dedupe.store.${method}`);
  }
  return {
    key,
    store,
    ttlMs: milliseconds(ttlSeconds, 'dedupe.ttlSeconds'),
    leaseMs: milliseconds(leaseSeconds, 'dedupe.leaseSeconds'),
  };
};
