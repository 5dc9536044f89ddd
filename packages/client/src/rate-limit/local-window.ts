import { createSlidingWindow } from '@confab/internal';
import type { RateLimit } from '../options/client-options.ts';
import type { Evidence, RateWindow } from '../options/rate-window.ts';
import type { Clock } from '../time/clock.ts';

/** Milliseconds. The API counts requests per minute, over a sliding window. */
const MINUTE = 60_000;

/** `Retry-After` counts whole seconds, so nothing shorter can be learned. */
const SECOND = 1_000;

/** A request that the service has accepted: it did so somewhere between the two times. */
interface Accepted {
  readonly start: number;
  readonly end: number;
}

/** A request that the service refused with a 429, somewhere between the two times. */
interface RefusedRequest extends Accepted {
  readonly retryAfterMs: number;
}

/** The window of the service, as far as its responses prove it. */
interface LearnedWindow {
  /** Adds what the response to a request proves, when the request has ended. */
  add(request: Accepted, evidence: Evidence): void;
  /** Returns the length of the window in milliseconds: a minute until something shorter is proved. */
  perMs(limit: number): number;
}

/** Returns the start of the n-th latest request; undefined if there are fewer. */
const nthLatest = (requests: readonly Accepted[], n: number): number | undefined =>
  requests.map(({ start }) => start).sort((a, b) => b - a)[n - 1];

/**
 * Returns the longest window that a 429 leaves possible, in milliseconds; Infinity when it proves nothing.
 *
 * A service that refuses a request has accepted `limit` others within its window, and the first of them leaves it within
 * `Retry-After`. So the window is at most `Retry-After` plus the age of the limit-th latest accepted request.
 *
 * A request that was in flight together with the refused one may have been accepted after it, once that first request had
 * left the window. In that case the window is at most the time from the limit-th latest request that certainly came before
 * the 429 to the end of the latest request in flight.
 */
const boundOf = (refusal: RefusedRequest, requests: readonly Accepted[], limit: number): number => {
  const known = requests.filter(({ start }) => start < refusal.end);
  const first = nthLatest(known, limit);
  if (first === undefined) {
    return Number.POSITIVE_INFINITY;
  }
  const bound = refusal.end + refusal.retryAfterMs - first;
  const certain = known.filter(({ end }) => end <= refusal.start);
  if (certain.length === known.length) {
    return bound;
  }
  const earlier = nthLatest(certain, limit) ?? Math.min(...known.map(({ start }) => start));
  return Math.max(bound, Math.max(...known.map(({ end }) => end)) - earlier);
};

const createLearnedWindow = (): LearnedWindow => {
  let accepted: Accepted[] = [];
  let maxKept = 1_024;
  /** The latest 429. */
  let refusal: RefusedRequest | undefined;
  let perMs = MINUTE;
  let isNew = false;

  return {
    add(request, evidence) {
      if (evidence.kind === 'refused') {
        refusal = { ...request, retryAfterMs: evidence.retryAfterMs };
        // `Retry-After` is never longer than the window, apart from its rounding, so the service has changed the window.
        perMs = refusal.retryAfterMs - SECOND < perMs ? perMs : MINUTE;
      } else {
        accepted.push(request);
        if (accepted.length > maxKept) {
          accepted = accepted.filter(({ end }) => end + MINUTE > request.end);
          maxKept = Math.max(1_024, 2 * accepted.length);
        }
      }
      isNew ||= refusal !== undefined && request.start < refusal.end;
    },
    perMs(limit) {
      if (refusal !== undefined && isNew) {
        isNew = false;
        perMs = Math.min(perMs, Math.max(SECOND, Math.ceil(boundOf(refusal, accepted, limit))));
      }
      return perMs;
    },
  };
};

/**
 * Counts the requests of this client alone. A request counts from its start until `perMs` milliseconds after its end.
 * The service counts it at some moment in between, so no window of the service contains more requests than our own.
 *
 * @param onLearn Called when `'learn'` starts to apply a limit or a window, before the request that has to wait for it.
 */
export const createLocalWindow = (
  rateLimit: 'learn' | RateLimit | false,
  clock: Clock,
  onLearn?: ((limit: RateLimit) => void) | undefined,
): RateWindow => {
  const fixed = typeof rateLimit === 'object' ? rateLimit : undefined;
  const learned = rateLimit === 'learn' ? createLearnedWindow() : undefined;
  const ends = createSlidingWindow(fixed?.perMs ?? MINUTE);
  let allowed = fixed?.requests;
  let applied: RateLimit | undefined = fixed;

  /** Returns the limit that applies now; undefined for none. */
  const current = (): RateLimit | undefined => {
    if (learned && allowed !== undefined) {
      const perMs = learned.perMs(allowed);
      if (applied?.requests !== allowed || applied.perMs !== perMs) {
        applied = { requests: allowed, perMs };
        onLearn?.(applied);
      }
    }
    return applied;
  };

  return {
    get windowMs() {
      return current()?.perMs;
    },
    startsAt(now, { inFlight }) {
      const limit = current();
      if (limit === undefined) {
        return now;
      }
      const excess = ends.count(now) - (limit.requests - inFlight);
      if (excess < 0) {
        return now;
      }
      const last = ends.at(excess);
      return last === undefined ? undefined : Math.max(now, last + limit.perMs);
    },
    take() {
      const start = clock.now();
      return (counts, evidence) => {
        const now = clock.now();
        if (counts && rateLimit !== false) {
          // Also drops old ones: nothing else does while no limit is known.
          ends.count(now);
          ends.add(now);
        }
        if (evidence) {
          learned?.add({ start, end: now }, evidence);
        }
      };
    },
    learn(limit) {
      if (learned) {
        allowed = limit;
      }
    },
    pause: () => {},
  };
};
