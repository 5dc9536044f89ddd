import type { SlidingWindow as Times } from '@confab/internal';
import { createSlidingWindow } from '@confab/internal';
import type { RateLimit } from './rate-limit.ts';

/** What the window said about one request. */
export interface Admission {
  readonly admitted: boolean;
  /** Requests that would be let through right after this one. */
  readonly remaining: number;
  /** Whole seconds after which a request passes; 0 when this one did. */
  readonly retryAfterSeconds: number;
}

/** Times of the requests in a window, oldest first. */
export type WindowState = readonly number[];

/**
 * Admits at most so many requests in any stretch of time, whenever that stretch begins.
 *
 * It keeps the time of every admitted request: counting per fixed minute would let twice the cap through around
 * the turn of a minute. A refused request leaves no trace.
 */
export class SlidingWindow {
  readonly #limit: RateLimit;
  readonly #times: Times;

  constructor(limit: RateLimit, state: WindowState = []) {
    this.#limit = limit;
    this.#times = createSlidingWindow(limit.perMs, state);
  }

  admit(now: number): Admission {
    const { requests, perMs } = this.#limit;
    if (requests === Number.POSITIVE_INFINITY) {
      return { admitted: true, remaining: requests, retryAfterSeconds: 0 };
    }
    const used = this.#times.count(now);
    if (used < requests) {
      this.#times.add(now);
      return { admitted: true, remaining: requests - used - 1, retryAfterSeconds: 0 };
    }
    // A cap of 0 never admits a request; the length of the window is as good a time to wait as any.
    const frees = (this.#times.at(0) ?? now) + perMs;
    return { admitted: false, remaining: 0, retryAfterSeconds: Math.max(1, Math.ceil((frees - now) / 1000)) };
  }

  save(): WindowState {
    return this.#times.times();
  }
}
