import type { RateLimitGrant } from '../../packages/client/src/redis/shared-window.ts';
import { SortedSet } from './sorted-set.ts';

/** Milliseconds for which a process may be late for its turn. */
const GRACE = 1_000;

/**
 * Creates a shared budget in memory. Each method does the same as the script of `redisRateLimit` with that name.
 */
export const createBudget = ({ requests, perMs }: { readonly requests: number; readonly perMs: number }) => {
  const window = new SortedSet<string>();
  const line = new SortedSet<number>();
  let pausedUntil = 0;
  let lastPlace = 0;

  /** Milliseconds until the place at an index of the window becomes free. */
  const waitFor = (index: number, now: number): number =>
    Math.min((window.scoreAt(index) ?? Number.POSITIVE_INFINITY) - now, perMs);

  const grant = (count: number, leaseMs: number, now: number): string[] =>
    Array.from({ length: count }, () => {
      lastPlace += 1;
      const place = String(lastPlace);
      window.set(place, now + leaseMs + perMs);
      return place;
    });

  return {
    take(process: number, count: number, leaseMs: number, now: number): RateLimitGrant {
      if (pausedUntil > now) {
        const pausedMs = Math.ceil(pausedUntil - now);
        return { places: [], waitMs: pausedMs, pausedMs };
      }
      window.removeUpTo(now);
      const free = Math.max(0, requests - window.size);
      line.removeUpTo(now - GRACE);
      if (count === 0) {
        return { places: [], waitMs: 0, pausedMs: 0 };
      }
      const rank = line.rankOf(process);
      const others = line.size - (rank === undefined ? 0 : 1);
      const due = line.countUpTo(now);
      const isNext = free > Math.min(rank ?? others, due);
      const places = grant(isNext ? Math.min(count, Math.max(1, free - others)) : 0, leaseMs, now);
      if (isNext) {
        line.delete(process);
      }
      if (places.length === count) {
        return { places, waitMs: 0, pausedMs: 0 };
      }
      const ahead = isNext ? others : (rank ?? others);
      const left = free - places.length;
      const maxWaitMs = left > 0 && ahead <= due ? GRACE : perMs;
      const waitMs = Math.min(waitFor(Math.max(0, ahead - left), now), maxWaitMs);
      line.set(process, now + waitMs);
      return { places, waitMs: Math.ceil(waitMs), pausedMs: 0 };
    },
    release(place: string, counts: boolean, now: number): void {
      if (!counts) {
        window.delete(place);
      } else if (window.has(place)) {
        window.set(place, now + perMs);
      }
    },
    pause(ms: number, now: number): void {
      pausedUntil = Math.max(pausedUntil, now + ms);
    },
  };
};
