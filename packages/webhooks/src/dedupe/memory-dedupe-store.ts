import { integerFrom, isFunction } from '@confab/internal';
import { checkOptions } from '../option-checks.ts';
import type { DedupeStore } from './dedupe-store.ts';

/** Options of {@link createMemoryDedupeStore}. */
export interface MemoryDedupeStoreOptions {
  /**
   * The maximum number of keys. A full store forgets the key that was completed first, and never one that is running.
   * @default 10_000
   */
  maxKeys?: number | undefined;
  /**
   * Returns the current time in milliseconds since 1970.
   * @default Date.now
   */
  now?: (() => number) | undefined;
}

interface Lease {
  readonly token: string;
  readonly endsAt: number;
}

/**
 * Creates a store that remembers deliveries in the memory of this process. That is enough for one long-running receiver,
 * but not for several receivers or for serverless functions.
 *
 * @throws {@link WebhookConfigurationError} When `maxKeys` is not a positive integer.
 *
 * @example
 * ```ts
 * const store = createMemoryDedupeStore({ maxKeys: 100_000 });
 * createWebhooks({ secret, signature, dedupe: { key: ({ headers }) => headers.get('x-delivery-id') ?? undefined, store } });
 * ```
 */
export const createMemoryDedupeStore = (options: MemoryDedupeStoreOptions = {}): DedupeStore => {
  checkOptions('option of createMemoryDedupeStore', options, { maxKeys: integerFrom(1), now: isFunction });
  const { maxKeys = 10_000, now = () => Date.now() } = options;
  const running = new Map<string, Lease>();
  // In order of completion: the first key is the next to be forgotten.
  const completed = new Map<string, number>();

  const makeRoom = () => {
    for (const [key, { endsAt }] of running) {
      if (endsAt > now()) {
        break;
      }
      running.delete(key);
    }
    for (const [key, forgottenAt] of completed) {
      if (forgottenAt > now() && completed.size + running.size < maxKeys) {
        break;
      }
      completed.delete(key);
    }
    return completed.size + running.size < maxKeys;
  };

  return {
    claim(key, { token, leaseMs }) {
      const forgottenAt = completed.get(key);
      if (forgottenAt !== undefined && forgottenAt > now()) {
        return 'completed';
      }
      const lease = running.get(key);
      if (lease !== undefined && lease.endsAt > now()) {
        return 'running';
      }
      running.delete(key);
      // The store is full of running keys. With "running" the sender retries later, and nothing runs twice.
      if (!makeRoom()) {
        return 'running';
      }
      running.set(key, { token, endsAt: now() + leaseMs });
      return 'claimed';
    },
    complete(key, { ttlMs }) {
      running.delete(key);
      completed.delete(key);
      completed.set(key, now() + ttlMs);
    },
    release(key, { token }) {
      if (running.get(key)?.token === token) {
        running.delete(key);
      }
    },
  };
};
