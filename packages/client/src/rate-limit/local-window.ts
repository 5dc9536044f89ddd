import { createSlidingWindow } from '@confab/internal';
import type { RateLimit } from '../options/client-options.ts';
import type { Evidence, RateWindow } from '../options/rate-window.ts';
import type { Clock } from '../time/clock.ts';

/** Milliseconds. The API counts requests per minute, over a sliding window. */
const MINUTE = 60_000;

/** `Retry-After` counts whole seconds, so nothing shorter can be learned. */
const SECOND = 1_000;

/** Something that happened to this client. Of two events in the same millisecond, the number tells which came first. */
interface Moment {
  readonly at: number;
  readonly number: number;
}

/** A request that has ended. If the service counted it, it did so somewhere between the two moments. */
interface EndedRequest {
  readonly start: Moment;
  readonly end: Moment;
  /** False when it is not known whether the service counted it. */
  readonly isAccepted: boolean;
}

/** A request that the service refused with a 429, somewhere between the two moments. */
interface RefusedRequest {
  readonly start: Moment;
  readonly end: Moment;
  readonly retryAfterMs: number;
}

/** The rate limit of the service, as far as its responses prove it. */
interface LearnedWindow {
  /** The limit and the window that apply; undefined until the service reports a limit. */
  readonly applied: RateLimit | undefined;
  /** Notes that a request starts, and returns the moment. */
  start(now: number): Moment;
  /** Notes that a request has ended, and what its response proves. */
  end(start: Moment, now: number, counts: boolean, evidence: Evidence | undefined): void;
  /** Applies the limit that the service reports, as soon as the request that reports it has ended. */
  learn(limit: number | undefined): void;
}

/** Returns the start of the n-th latest request; undefined if there are fewer. */
const nthLatest = (requests: readonly EndedRequest[], n: number): number | undefined =>
  requests.map(({ start }) => start.at).sort((a, b) => b - a)[n - 1];

/**
 * Returns the longest window that a 429 leaves possible, in milliseconds; undefined when it proves nothing.
 *
 * A service that refuses a request has accepted `limit` others within its window, and the first of them leaves it within
 * `Retry-After`. So the window is at most `Retry-After` plus the age of the limit-th latest accepted request.
 *
 * A request that was in flight together with the refused one may have been accepted after it, once that first request had
 * left the window. In that case the window is at most the time from the limit-th latest request that certainly came before
 * the 429 to the end of the latest request in flight.
 *
 * @param known The accepted requests that started before the 429 arrived.
 */
const boundOf = (
  refusal: RefusedRequest,
  known: readonly EndedRequest[],
  limit: number,
): number | undefined => {
  const first = nthLatest(known, limit);
  if (first === undefined) {
    return undefined;
  }
  const bound = refusal.end.at + refusal.retryAfterMs - first;
  const certain = known.filter(({ end }) => end.number < refusal.start.number);
  if (certain.length === known.length) {
    return bound;
  }
  const earlier = nthLatest(certain, limit) ?? Math.min(...known.map(({ start }) => start.at));
  return Math.max(bound, Math.max(...known.map(({ end }) => end.at)) - earlier);
};

/**
 * Learns the limit and the window of the service.
 *
 * @param onLearn Called when another limit or window starts to apply, before the request that has to wait for it.
 */
const createLearnedWindow = (onLearn?: ((limit: RateLimit) => void) | undefined): LearnedWindow => {
  /** Number of starts and ends so far. */
  let events = 0;
  let ended: EndedRequest[] = [];
  let maxKept = 1_024;
  /** The starts of the requests in flight. */
  const inFlight = new Set<Moment>();
  /** The latest 429. */
  let refusal: RefusedRequest | undefined;
  let proved = MINUTE;
  /** The window to go by while other users of the key take places. */
  let assumed: number | undefined;
  let limit: number | undefined;

  const refuse = (request: RefusedRequest) => {
    refusal = request;
    // `Retry-After` is never longer than the window, apart from its rounding, so the service has changed the window.
    const isPossible = (perMs: number) => request.retryAfterMs - SECOND < perMs;
    proved = isPossible(proved) ? proved : MINUTE;
    assumed = assumed !== undefined && isPossible(assumed) ? assumed : undefined;
  };

  /** Draws the conclusions from the latest 429. */
  const conclude = (latest: RefusedRequest, requests: number) => {
    const isBefore = (start: Moment) => start.number < latest.end.number;
    const known = ended.filter(({ start }) => isBefore(start));
    const accepted = known.filter(({ isAccepted }) => isAccepted);
    const bound = boundOf(latest, accepted, requests);
    if (bound !== undefined) {
      proved = Math.min(proved, Math.max(SECOND, Math.ceil(bound)));
      assumed = undefined;
    } else if (known.length < requests && ![...inFlight].some(isBefore)) {
      // This client alone has not used up the limit, so its own requests prove nothing.
      assumed = Math.min(proved, Math.max(SECOND, latest.retryAfterMs));
    }
  };

  const learned: LearnedWindow & { applied: RateLimit | undefined } = {
    applied: undefined,
    start(now) {
      events += 1;
      const start = { at: now, number: events };
      inFlight.add(start);
      return start;
    },
    end(start, now, counts, evidence) {
      events += 1;
      const end = { at: now, number: events };
      inFlight.delete(start);
      if (evidence?.kind === 'refused') {
        refuse({ start, end, retryAfterMs: evidence.retryAfterMs });
      } else if (counts) {
        ended.push({ start, end, isAccepted: evidence !== undefined });
        if (ended.length > maxKept) {
          ended = ended.filter((request) => request.end.at + MINUTE > now);
          maxKept = Math.max(1_024, 2 * ended.length);
        }
      }
      if (limit === undefined) {
        return;
      }
      if (refusal !== undefined && start.number < refusal.end.number) {
        conclude(refusal, limit);
      }
      const perMs = assumed ?? proved;
      if (learned.applied?.requests !== limit || learned.applied.perMs !== perMs) {
        learned.applied = { requests: limit, perMs };
        onLearn?.(learned.applied);
      }
    },
    learn(reported) {
      limit = reported;
    },
  };
  return learned;
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
  const learned = rateLimit === 'learn' ? createLearnedWindow(onLearn) : undefined;
  const ends = createSlidingWindow(fixed?.perMs ?? MINUTE);
  const current = () => fixed ?? learned?.applied;

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
      const start = learned?.start(clock.now());
      return (counts, evidence) => {
        const now = clock.now();
        if (counts && rateLimit !== false) {
          // Also drops old ones: nothing else does while no limit is known.
          ends.count(now);
          ends.add(now);
        }
        if (start) {
          learned?.end(start, now, counts, evidence);
        }
      };
    },
    learn: (limit) => learned?.learn(limit),
  };
};
