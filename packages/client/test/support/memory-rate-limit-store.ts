import type { Clock } from '../../src/index.ts';
import type { RateLimitStore } from '../../src/redis/shared-window.ts';

/** How a store misbehaves from one time to another. */
export interface Outage {
  readonly from: number;
  readonly to: number;
  readonly kind: 'rejects' | 'hangs';
}

/** A store that keeps its window in an array, and is as slow and as broken as a test wants it. */
export const createMemoryRateLimitStore = (
  clock: Clock,
  { requests, perMs }: { readonly requests: number; readonly perMs: number },
  { latency = 0, outages = [] }: { readonly latency?: number; readonly outages?: readonly Outage[] } = {},
) => {
  const places = new Map<string, number>();
  let pausedUntil = 0;
  let made = 0;
  const hanging = new AbortController();

  const reach = async () => {
    const outage = outages.find(({ from, to }) => from <= clock.now() && clock.now() < to);
    if (outage?.kind === 'rejects') {
      throw new Error('connect ECONNREFUSED');
    }
    if (outage?.kind === 'hangs') {
      await new Promise(() => {});
    }
    if (latency > 0) {
      await clock.sleep(latency, hanging.signal);
    }
  };

  const store: RateLimitStore = {
    async take({ count, leaseMs }) {
      await reach();
      const now = clock.now();
      if (now < pausedUntil) {
        return { places: [], waitMs: pausedUntil - now, pausedMs: pausedUntil - now };
      }
      for (const [place, freeAt] of places) {
        if (freeAt <= now) {
          places.delete(place);
        }
      }
      const granted = Array.from({ length: Math.min(count, Math.max(0, requests - places.size)) }, () => {
        made += 1;
        places.set(String(made), now + leaseMs + perMs);
        return String(made);
      });
      const first = Math.min(...places.values());
      return {
        places: granted,
        waitMs: granted.length === count ? 0 : Math.min(first - now, perMs),
        pausedMs: 0,
      };
    },
    async release(place, counts) {
      await reach();
      if (!counts) {
        places.delete(place);
      } else if (places.has(place)) {
        places.set(place, clock.now() + perMs);
      }
    },
    async pause(ms) {
      await reach();
      pausedUntil = Math.max(pausedUntil, clock.now() + ms);
    },
  };
  return {
    store,
    /** Places that are not free at this moment. */
    taken: () => [...places.values()].filter((freeAt) => freeAt > clock.now()).length,
  };
};
