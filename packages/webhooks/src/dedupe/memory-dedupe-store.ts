import { namesOf } from '@confab/internal';
import { WebhookConfigurationError } from '../errors/webhook-configuration-error.ts';
import { checkNames } from '../options/check-names.ts';
import type { DedupeStore } from './dedupe-store.ts';

/** How much a memory store keeps. */
export interface MemoryDedupeStoreOptions {
  /**
   * Keys kept at once. When full, the key completed longest ago is forgotten first; a key that still runs never is.
   * @default 10_000
   */
  maxKeys?: number | undefined;
  /**
   * The current time in milliseconds since 1970.
   * @default Date.now
   */
  now?: (() => number) | undefined;
}

const NAMES = /* @__PURE__ */ namesOf<MemoryDedupeStoreOptions>({ maxKeys: true, now: true });

interface Run {
  readonly token: string;
  readonly endsAt: number;
}

/**
 * Remembers deliveries in this process: enough for one receiver that runs for long, not for several or for
 * serverless functions.
 *
 * @throws {@link WebhookConfigurationError} Unless `maxKeys` is a whole number above 0.
 *
 * @example
 * ```ts
 * const store = createMemoryDedupeStore({ maxKeys: 100_000 });
 * createWebhooks({ secret, signature, dedupe: { key: ({ headers }) => headers.get('x-delivery-id') ?? undefined, store } });
 * ```
 */
export const createMemoryDedupeStore = (options: MemoryDedupeStoreOptions = {}): DedupeStore => {
  checkNames('option of createMemoryDedupeStore', options, NAMES);
  const { maxKeys = 10_000, now = () => Date.now() } = options;
  if (!(Number.isSafeInteger(maxKeys) && maxKeys > 0)) {
    throw new WebhookConfigurationError(`maxKeys must be a whole number above 0, not ${maxKeys}.`);
  }
  const running = new Map<string, Run>();
  // In order of completion, so that the first is the one to forget.
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
      const run = running.get(key);
      if (run !== undefined && run.endsAt > now()) {
        return 'running';
      }
      running.delete(key);
      // Full of runs: answering "running" makes the sender come later, and none is run twice.
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
