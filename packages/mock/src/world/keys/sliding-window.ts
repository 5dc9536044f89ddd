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
  #times: number[];
  /** Where the window begins in `#times`: dropping from the front of a long array one by one is slow. */
  #start = 0;

  constructor(limit: RateLimit, state: WindowState = []) {
    this.#limit = limit;
    this.#times = [...state];
  }

  admit(now: number): Admission {
    const { requests, perMs } = this.#limit;
    if (requests === Number.POSITIVE_INFINITY) {
      return { admitted: true, remaining: requests, retryAfterSeconds: 0 };
    }
    this.#forget(now - perMs);
    const used = this.#times.length - this.#start;
    if (used < requests) {
      this.#times.push(now);
      return { admitted: true, remaining: requests - used - 1, retryAfterSeconds: 0 };
    }
    // A cap of 0 never lets anything through; the window's length is as good an answer as any.
    const frees = (this.#times[this.#start] ?? now) + perMs;
    return { admitted: false, remaining: 0, retryAfterSeconds: Math.max(1, Math.ceil((frees - now) / 1000)) };
  }

  save(): WindowState {
    return this.#times.slice(this.#start);
  }

  /** A request at a moment has left the window exactly one window's length later. */
  #forget(until: number): void {
    while (this.#start < this.#times.length && (this.#times[this.#start] ?? 0) <= until) {
      this.#start += 1;
    }
    if (this.#start > 1_024 && this.#start * 2 > this.#times.length) {
      this.#times = this.#times.slice(this.#start);
      this.#start = 0;
    }
  }
}
