import { createSlidingWindow } from '@confab/internal';
import type { Clock } from '../time/clock.ts';
import type { RateLimit, RateWindow, RequestEnding } from './window.ts';

/** Milliseconds. The API counts requests per minute, over a sliding window. */
const MINUTE = 60_000;

/** `Retry-After` counts whole seconds, so nothing shorter can be learned. */
const SECOND = 1_000;

/** The start or end of a request. The number gives the order of events in the same millisecond. */
interface Moment {
  readonly at: number;
  readonly number: number;
}

/** A request that has ended. The service may have counted it at any moment between the two. */
interface EndedRequest {
  readonly start: Moment;
  readonly end: Moment;
  /** Whether the service certainly counted it. */
  readonly isAccepted: boolean;
}

/** A request that the service refused with a 429, at some moment between the two. */
interface RefusedRequest {
  readonly start: Moment;
  readonly end: Moment;
  readonly retryAfterMs: number;
}

/** Returns the start of the n-th latest request; undefined if there are fewer. */
const nthLatest = (requests: readonly EndedRequest[], n: number): number | undefined =>
  requests.map(({ start }) => start.at).sort((a, b) => b - a)[n - 1];

/**
 * Returns the longest window that is possible after a 429, in milliseconds; undefined when the 429 proves nothing.
 *
 * A service that refuses a request has accepted `limit` others within its window, and the first of them leaves it within
 * `Retry-After`. So the window is at most `Retry-After` plus the age of the limit-th latest accepted request. For example,
 * with a limit of 5, requests are accepted after 0, 1, 1, 2 and 3 s, and a 429 after 3 s has `Retry-After: 8`: the first
 * of the five leaves the window within 11 s, so the window is at most 11 s.
 *
 * A request that was in flight together with the refused one may have been accepted after it, once that first request had
 * left the window. In that case the window is at most the time from the limit-th latest request that certainly came before
 * the 429 to the end of the latest request in flight.
 *
 * @param accepted The accepted requests that started before the 429 arrived.
 */
const computeBound = (
  refusal: RefusedRequest,
  accepted: readonly EndedRequest[],
  limit: number,
): number | undefined => {
  const first = nthLatest(accepted, limit);
  if (first === undefined) {
    return undefined;
  }
  const bound = refusal.end.at + refusal.retryAfterMs - first;
  const endedBefore = accepted.filter(({ end }) => end.number < refusal.start.number);
  if (endedBefore.length === accepted.length) {
    return bound;
  }
  const earliest = nthLatest(endedBefore, limit) ?? Math.min(...accepted.map(({ start }) => start.at));
  return Math.max(bound, Math.max(...accepted.map(({ end }) => end.at)) - earliest);
};

/** The rate limit of the service, as its responses prove it. */
class LearnedWindow {
  /** The limit that the service last reported. */
  #reported: number | undefined;
  #applied: RateLimit | undefined;
  /** Number of starts and ends so far. */
  #events = 0;
  #ended: EndedRequest[] = [];
  #maxKept = 1_024;
  /** The starts of the requests in flight. */
  readonly #inFlight = new Set<Moment>();
  /** The latest 429. */
  #refusal: RefusedRequest | undefined;
  #provedMs = MINUTE;
  /** The window to apply while other users of the key take places: 8 s after a 429 with `Retry-After: 8`. */
  #assumedMs: number | undefined;

  /** Records the start of a request. */
  start(now: number): Moment {
    this.#events += 1;
    const start = { at: now, number: this.#events };
    this.#inFlight.add(start);
    return start;
  }

  /** Returns when the requests that count have ended, oldest first. */
  endTimes(): number[] {
    return this.#ended.map(({ end }) => end.at);
  }

  /**
   * Records the end of a request, and what its response proves.
   *
   * @returns The limit and window that apply from now on; undefined if they have not changed.
   */
  end(start: Moment, now: number, { counts, response }: RequestEnding): RateLimit | undefined {
    this.#events += 1;
    const end = { at: now, number: this.#events };
    this.#inFlight.delete(start);
    const { status = 0, rateLimit } = response?.isFromApi ? response : {};
    const { limit: reported, retryAfterMs } = rateLimit ?? {};
    // A 429 without a limit has a different reason, such as overload.
    if (status === 429 && reported !== undefined && retryAfterMs !== undefined) {
      this.#refuse({ start, end, retryAfterMs });
    } else if (counts) {
      this.#ended.push({ start, end, isAccepted: status >= 200 && status < 300 });
      if (this.#ended.length > this.#maxKept) {
        this.#ended = this.#ended.filter((request) => request.end.at + MINUTE > now);
        this.#maxKept = Math.max(1_024, 2 * this.#ended.length);
      }
    }
    this.#reported = reported ?? this.#reported;
    const limit = this.#reported;
    if (limit === undefined) {
      return undefined;
    }
    if (this.#refusal !== undefined && start.number < this.#refusal.end.number) {
      this.#learnFrom(this.#refusal, limit);
    }
    const perMs = this.#assumedMs ?? this.#provedMs;
    if (this.#applied?.requests === limit && this.#applied.perMs === perMs) {
      return undefined;
    }
    this.#applied = { requests: limit, perMs };
    return this.#applied;
  }

  #refuse(request: RefusedRequest): void {
    this.#refusal = request;
    // `Retry-After` is never longer than the window, apart from its rounding, so the service has changed the window.
    const isPossible = (perMs: number) => request.retryAfterMs - SECOND < perMs;
    this.#provedMs = isPossible(this.#provedMs) ? this.#provedMs : MINUTE;
    this.#assumedMs =
      this.#assumedMs !== undefined && isPossible(this.#assumedMs) ? this.#assumedMs : undefined;
  }

  /** Learns the window from the latest 429. */
  #learnFrom(refusal: RefusedRequest, limit: number): void {
    const isBefore = (start: Moment) => start.number < refusal.end.number;
    const earlier = this.#ended.filter(({ start }) => isBefore(start));
    const accepted = earlier.filter(({ isAccepted }) => isAccepted);
    const bound = computeBound(refusal, accepted, limit);
    if (bound !== undefined) {
      this.#provedMs = Math.min(this.#provedMs, Math.max(SECOND, Math.ceil(bound)));
      this.#assumedMs = undefined;
    } else if (earlier.length < limit && ![...this.#inFlight].some(isBefore)) {
      // This client alone has not used up the limit, so its own requests prove nothing.
      this.#assumedMs = Math.min(this.#provedMs, Math.max(SECOND, refusal.retryAfterMs));
    }
  }
}

/**
 * Counts the requests of this client alone. A request counts from its start until `perMs` milliseconds after its end.
 * The service counts it at some moment in between, so no window of the service contains more requests than our own.
 *
 * @param onLearn Called when `'learn'` starts to apply a limit or a window, before the request that has to wait for it.
 */
export const createLocalWindow = (
  rateLimit: 'learn' | RateLimit | false,
  clock: Clock,
  onLearn?: ((rate: RateLimit) => void) | undefined,
): RateWindow => {
  const learned = rateLimit === 'learn' ? new LearnedWindow() : undefined;
  let rate = typeof rateLimit === 'object' ? rateLimit : undefined;
  /** When the requests that count have ended; undefined while no limit applies. */
  let ends = rate && createSlidingWindow(rate.perMs);

  return {
    get windowMs() {
      return rate?.perMs;
    },
    startsAt(now, { inFlight }) {
      if (rate === undefined || ends === undefined) {
        return now;
      }
      const excess = ends.count(now) - (rate.requests - inFlight);
      if (excess < 0) {
        return now;
      }
      const last = ends.at(excess);
      return last === undefined ? undefined : Math.max(now, last + rate.perMs);
    },
    take() {
      const start = learned?.start(clock.now());
      return (ending) => {
        const now = clock.now();
        if (ending.counts) {
          ends?.add(now);
        }
        const newRate = start && learned?.end(start, now, ending);
        if (newRate) {
          rate = newRate;
          ends ??= createSlidingWindow(MINUTE, learned?.endTimes());
          onLearn?.(rate);
        }
      };
    },
  };
};
