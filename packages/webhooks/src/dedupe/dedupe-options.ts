import { namesOf } from '@confab/internal';
import { WebhookConfigurationError } from '../errors/webhook-configuration-error.ts';
import { checkNames } from '../options/check-names.ts';
import type { DedupeStore } from './dedupe-store.ts';
import { createMemoryDedupeStore } from './memory-dedupe-store.ts';

/** A genuine delivery, from which a key is made. */
export interface Delivery {
  readonly event: string;
  readonly data: unknown;
  readonly headers: Headers;
  /** The bytes that were signed. */
  readonly body: Uint8Array;
}

/** How a redelivery is told from a new delivery. */
export interface DedupeOptions {
  /**
   * What two deliveries of one event share, and no others; `undefined` runs the handlers in any case.
   *
   * There is no default: the payload has no id, and two customers may both write "ok". If the sender puts an
   * id of the delivery into a header, that is the key. Headers are not signed, so the store is given the key together
   * with the SHA-256 of the body: only a delivery with the same key and the same body passes for a repeat.
   */
  key: (delivery: Delivery) => string | undefined;
  /**
   * Where keys are kept.
   * @default a store in memory, of 10,000 keys
   */
  store?: DedupeStore | undefined;
  /**
   * Seconds for which a key is remembered once its handlers have run. Longer than the sender retries.
   * @default 86_400
   */
  ttlSeconds?: number | undefined;
  /**
   * Seconds after which a run that neither ended nor failed (its process died) no longer keeps others back.
   * Longer than the slowest handler, shorter than the sender retries.
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

/** {@link DedupeOptions}, checked and with the defaults filled in. */
export interface DedupeRules {
  readonly key: (delivery: Delivery) => unknown;
  readonly store: DedupeStore;
  readonly ttlMs: number;
  readonly leaseMs: number;
}

const milliseconds = (seconds: number, option: string): number => {
  if (seconds > 0 && seconds < Number.POSITIVE_INFINITY) {
    return Math.ceil(seconds * 1000);
  }
  throw new WebhookConfigurationError(`${option} must be a number of seconds above 0, not ${seconds}.`);
};

/**
 * Checks dedupe options once.
 *
 * @throws {@link WebhookConfigurationError} naming the option.
 */
export const dedupeRules = (options: DedupeOptions, now: () => number): DedupeRules => {
  checkNames('field of dedupe', options, NAMES);
  const { key, store = createMemoryDedupeStore({ now }), ttlSeconds = 86_400, leaseSeconds = 60 } = options;
  if (typeof key !== 'function') {
    throw new WebhookConfigurationError(
      'dedupe.key must be a function of the delivery. No key can be guessed: the payload has no id.',
    );
  }
  for (const method of ['claim', 'complete', 'release'] as const) {
    if (typeof store?.[method] !== 'function') {
      throw new WebhookConfigurationError(`dedupe.store has no ${method}() method.`);
    }
  }
  return {
    key,
    store,
    ttlMs: milliseconds(ttlSeconds, 'dedupe.ttlSeconds'),
    leaseMs: milliseconds(leaseSeconds, 'dedupe.leaseSeconds'),
  };
};
