import type { SlidingWindow as Times } from '@confab/internal';
import { createSlidingWindow } from '@confab/internal';
import type { RateLimit } from './rate-limit.ts';

/** The decision of a window about one request. */
export interface Admission {
  /** Whether the request is within the limit. */
  readonly admitted: boolean;
  /** How many more requests the window would admit now. */
  readonly remaining: number;
  /** Whole seconds until a request is admitted; 0 if this one was. */
  readonly retryAfterSeconds: number;
}

/** Times of the requests in a window, oldest first. */
export type WindowState = readonly number[];

/**
 * Admits a limited number of requests in any period, whenever it starts.
 *
 * It keeps the time of every admitted request: a counter per fixed minute would admit twice the limit around the end of a
 * minute. Refused requests do not count.
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
    // With a cap of 0, no wait would help. `Retry-After` must still be a number, so it is the length of the window.
    const frees = (this.#times.at(0) ?? now) + perMs;
    return { admitted: false, remaining: 0, retryAfterSeconds: Math.max(1, Math.ceil((frees - now) / 1000)) };
  }

  /** The number of admitted requests that are still in the window. */
  used(now: number): number {
    return this.#times.count(now);
  }

  save(): WindowState {
    return this.#times.times();
  }
}
