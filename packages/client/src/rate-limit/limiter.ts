import type { RateLimit } from '../options/client-options.ts';
import type { PauseEvent } from '../options/hook-events.ts';
import { limitInWords } from '../options/limit-in-words.ts';
import type { SharedRateLimit, WaitingCall } from '../options/rate-window.ts';
import type { Redact } from '../secrecy/redact.ts';
import type { Clock } from '../time/clock.ts';
import { createFifo } from './fifo.ts';
import { createLocalWindow } from './local-window.ts';
import type { Permit, Waiter } from './waiter.ts';
import { waitForPermit } from './waiter.ts';

/** The current rate-limit state of a client. */
export interface RateLimitSnapshot {
  /** Requests per window that the service last reported; undefined before the first report. */
  readonly limit: number | undefined;
  /**
   * Length of the window in milliseconds: the one given, or the one learned so far. Undefined while no limit applies.
   */
  readonly windowMs: number | undefined;
  /** Requests left that the service last reported; undefined before the first report. */
  readonly remaining: number | undefined;
  /** When the pause after a 429 ends, in milliseconds since 1970; undefined while there is no pause. */
  readonly pausedUntil: number | undefined;
  /** Number of calls that wait for a place, for the pace or for the end of a pause. */
  readonly queued: number;
  /** Number of requests in flight. */
  readonly inFlight: number;
}

/** Decides when each request of a client may start. */
export interface Limiter {
  /**
   * Resolves when the request may start: first come, first served, retries before new calls.
   *
   * @throws The signal's reason as soon as it is aborted, and what `refuse` throws.
   */
  acquire(options: AcquireOptions): Promise<Permit>;
  /** Starts no request before `until`. The latest such time counts. */
  pause(until: number): void;
  /** Applies the rate limit that a response reports. */
  observe(reading: { limit: number | undefined; remaining: number | undefined }): void;
  /** Returns what the next call waits for, for an error message. */
  waitsFor(): string;
  /** Returns the current state. */
  snapshot(): RateLimitSnapshot;
}

interface AcquireOptions {
  readonly signal: AbortSignal;
  /** Retries start before new calls. */
  readonly call: WaitingCall;
  /** Milliseconds that the attempt may take. */
  readonly timeout: number;
  /** Called when the client is or becomes paused. It throws to leave the queue. */
  readonly refuse: (pausedUntil: number) => void;
}

export interface LimiterOptions {
  readonly clock: Clock;
  readonly concurrency: number;
  readonly rateLimit: 'learn' | RateLimit | SharedRateLimit | false;
  /** Called when a pause starts. */
  readonly onPause?: ((event: PauseEvent) => void) | undefined;
  /** Called when `'learn'` starts to apply a limit or a window. */
  readonly onLearn?: ((limit: RateLimit) => void) | undefined;
  /** Called when a shared rate limit has lost its store. */
  readonly warn?: ((message: string) => void) | undefined;
  /** Removes the API key from a text. */
  readonly redact?: Redact | undefined;
}

export const createLimiter = ({
  clock,
  concurrency,
  rateLimit,
  onPause,
  onLearn,
  warn = () => {},
  redact = (text) => text,
}: LimiterOptions): Limiter => {
  // Retries go first: a call that has begun should end before a new one begins.
  const retries = createFifo<Waiter>();
  const arrivals = createFifo<Waiter>();
  let inFlight = 0;
  let pausedUntil = 0;
  /** Milliseconds: a place may serve any call that waits. */
  let longestAttempt = 0;
  // Stryker disable next-line ObjectLiteral: Fields that are missing are undefined too.
  let reported: { limit: number | undefined; remaining: number | undefined } = {
    limit: undefined,
    remaining: undefined,
  };

  const queued = () => retries.size + arrivals.size;
  const everyWaiter = () => [...retries.all(), ...arrivals.all()];

  /** Returns when the next request may start: undefined when that depends on the end of a request in flight. */
  const startsAt = (now: number): number | undefined => {
    if (inFlight >= concurrency) {
      return undefined;
    }
    if (now < pausedUntil) {
      return pausedUntil;
    }
    const waiting = Math.min(queued(), concurrency - inFlight);
    return window.startsAt(now, { inFlight, waiting, leaseMs: longestAttempt });
  };

  const grant = (): Permit => {
    const ended = window.take();
    inFlight += 1;
    let held = true;
    return {
      release(counts, evidence) {
        if (!held) {
          return;
        }
        held = false;
        inFlight -= 1;
        ended(counts, evidence);
        pump();
      },
    };
  };

  /** Starts every request that may start, and tells the next one when to ask again. */
  const pump = () => {
    for (;;) {
      const next = retries.first() ?? arrivals.first();
      if (next === undefined) {
        return;
      }
      const now = clock.now();
      const at = startsAt(now);
      if (at === undefined) {
        return;
      }
      if (at > now) {
        // Stryker disable next-line ConditionalExpression: Setting the same timer again only takes time.
        if (next.until !== at) {
          next.wakeAt(at);
        }
        return;
      }
      next.grant(grant());
    }
  };

  const wait = ({ signal, call, refuse }: AcquireOptions): Promise<Permit> =>
    waitForPermit({ queue: call.attempts > 0 ? retries : arrivals, pump, clock, signal, call, refuse });

  const refuseWaiting = () => {
    for (const waiter of everyWaiter()) {
      try {
        waiter.refuse(pausedUntil);
      } catch (error) {
        waiter.fail(error);
      }
    }
  };

  /** Returns true if the pause became longer. */
  const pauseUntil = (until: number): boolean => {
    if (until <= pausedUntil) {
      return false;
    }
    const now = clock.now();
    const starts = pausedUntil <= now && now < until;
    pausedUntil = until;
    refuseWaiting();
    if (starts) {
      onPause?.({ pausedUntil: Math.ceil(until), durationMs: Math.ceil(until - now), queued: queued() });
    }
    return true;
  };

  const window =
    typeof rateLimit === 'object' && 'open' in rateLimit
      ? rateLimit.open({
          clock,
          changed: pump,
          pause: (until) => void pauseUntil(until),
          fail(errorFor) {
            for (const waiter of everyWaiter()) {
              waiter.fail(errorFor(waiter.call));
            }
          },
          warn,
          redact,
        })
      : createLocalWindow(rateLimit, clock, onLearn);

  return {
    async acquire(options) {
      options.signal.throwIfAborted();
      longestAttempt = Math.max(longestAttempt, options.timeout);
      const now = clock.now();
      if (now < pausedUntil) {
        options.refuse(pausedUntil);
      }
      // Stryker disable next-line ConditionalExpression,EqualityOperator: The queue has the same result, later.
      const at = queued() === 0 ? startsAt(now) : undefined;
      // Stryker disable next-line ConditionalExpression,EqualityOperator,BlockStatement: The queue has the same result, later.
      if (at !== undefined && at <= now) {
        return grant();
      }
      const permit = await wait(options);
      // The call may have been aborted since.
      if (options.signal.aborted) {
        permit.release(false);
        throw options.signal.reason;
      }
      return permit;
    },
    pause(until) {
      // Many requests are often refused at once, and one of them is enough to tell the other processes.
      if (pauseUntil(until)) {
        window.pause(until);
      }
    },
    observe({ limit, remaining }) {
      reported = { limit: limit ?? reported.limit, remaining: remaining ?? reported.remaining };
      window.learn(reported.limit);
    },
    waitsFor() {
      if (inFlight >= concurrency) {
        return `a place (\`concurrency\` is ${concurrency})`;
      }
      if (clock.now() < pausedUntil) {
        return 'the end of the pause after a 429';
      }
      const { windowMs } = window;
      if (rateLimit === 'learn' && reported.limit !== undefined && windowMs !== undefined) {
        const limit = limitInWords({ requests: reported.limit, perMs: windowMs });
        return `the rate limit (${limit}, learned from the service)`;
      }
      return typeof rateLimit === 'object' && 'perMs' in rateLimit
        ? `the rate limit (${limitInWords(rateLimit)})`
        : 'the rate limit';
    },
    snapshot: () => ({
      limit: reported.limit,
      windowMs: window.windowMs,
      remaining: reported.remaining,
      pausedUntil: clock.now() < pausedUntil ? Math.ceil(pausedUntil) : undefined,
      queued: queued(),
      inFlight,
    }),
  };
};
