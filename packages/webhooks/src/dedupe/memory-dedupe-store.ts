import { integerFrom, isFunction } from '@confab/internal';
import { checkOptions } from '../option-checks.ts';
import type { DedupeStore } from './dedupe-store.ts';

/** Options of {@link createMemoryDedupeStore}. */
export interface MemoryDedupeStoreOptions {
  /**
   * The maximum number of keys. A full store forgets the key that was completed first, and never a key that is running.
   * @default 10_000
   */
  maxKeys?: number | undefined;
  /**
   * Returns the current time in milliseconds since 1970.
   * @default Date.now
   */
  now?: (() => number) | undefined;
}

/** A key that is running or completed. */
interface Entry {
  /** The token of a run that has not completed. */
  readonly token?: string;
  /** When the lease ends, or when the key is forgotten. */
  readonly until: number;
}

/**
 * Creates a store that remembers deliveries in the memory of this process. That is enough for one long-running receiver,
 * but not for several receivers or for serverless functions.
 *
 * @throws A {@link WebhookConfigurationError} when `maxKeys` is not a positive integer.
 *
 * @example
 * ```ts
 * const store = createMemoryDedupeStore({ maxKeys: 100_000 });
 * createWebhooks({ secret, signature, dedupe: { key: ({ headers }) => headers.get('x-delivery-id') ?? undefined, store } });
 * ```
 */
export const createMemoryDedupeStore = (options: MemoryDedupeStoreOptions = {}): DedupeStore => {
  checkOptions('createMemoryDedupeStore option', options, { maxKeys: integerFrom(1), now: isFunction });
  const { maxKeys = 10_000, now = () => Date.now() } = options;
  // A key moves to the end when it is completed, so the first completed one is the next to be forgotten.
  const entries = new Map<string, Entry>();

  /** Forgets keys until there is room for one more. Returns false if there is none, because all keys are running. */
  const makeRoom = (): boolean => {
    for (const [key, { token, until }] of entries) {
      if (entries.size < maxKeys) {
        break;
      }
      if (token === undefined || until <= now()) {
        entries.delete(key);
      }
    }
    return entries.size < maxKeys;
  };

  return {
    claim(key, { token, leaseMs }) {
      const entry = entries.get(key);
      if (entry !== undefined && entry.until > now()) {
        return entry.token === undefined ? 'completed' : 'running';
      }
      entries.delete(key);
      // The store is full of running keys. The state `running` makes the sender retry later, and nothing runs twice.
      if (!makeRoom()) {
        return 'running';
      }
      entries.set(key, { token, until: now() + leaseMs });
      return 'claimed';
    },
    complete(key, { ttlMs }) {
      entries.delete(key);
      entries.set(key, { until: now() + ttlMs });
    },
    release(key, { token }) {
      if (entries.get(key)?.token === token) {
        entries.delete(key);
      }
    },
  };
};
