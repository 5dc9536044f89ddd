import { rejectOnAbort } from '@confab/internal';
import type { RateLimit } from '../options/client-options.ts';
import type { Clock } from '../time/clock.ts';
import { createFifo } from './fifo.ts';
import { createPace } from './pace.ts';

/** Leave to send one request. */
interface Permit {
  /**
   * Gives the place back.
   *
   * @param counts False when nothing was sent, or the service refused before acting (429): it does not count against
   * the pace.
   */
  release(counts: boolean): void;
}

/** What `confab.rateLimit` shows. */
export interface RateLimitSnapshot {
  /** Requests in a minute, as the service last said. */
  readonly limit: number | undefined;
  /** Requests left, as the service last said. */
  readonly remaining: number | undefined;
  /** Milliseconds since 1970 at which calls go on; undefined when they are not paused. */
  readonly pausedUntil: number | undefined;
  /** Calls that wait for a place, for the pace or for the end of a pause. */
  readonly queued: number;
  /** Requests under way. */
  readonly inFlight: number;
}

/** Decides when each request of a client may start. */
export interface Limiter {
  /**
   * Resolves when the request may start: first come, first served, retries before new calls.
   *
   * @param refuse Told when the client pauses until a time, now or while waiting: throwing leaves the queue.
   * @throws The signal's reason as soon as it is aborted, and what `refuse` throws.
   */
  acquire(options: AcquireOptions): Promise<Permit>;
  /** Starts nothing before `until`; the latest such time wins. */
  pause(until: number): void;
  /** Takes in what a response says. */
  observe(reading: { limit: number | undefined; remaining: number | undefined }): void;
  snapshot(): RateLimitSnapshot;
}

interface AcquireOptions {
  readonly signal: AbortSignal;
  readonly retry: boolean;
  readonly refuse: (pausedUntil: number) => void;
}

interface Waiter {
  /** Says that the request may start, or when to ask again. */
  tell: (word: Permit | number) => void;
  /** What it was told to sleep until. */
  until: number | undefined;
  readonly refuse: (pausedUntil: number) => void;
  /** Leaves the queue. */
  leave: () => void;
  /** Leaves the queue, and ends the wait. */
  readonly fail: (reason: unknown) => void;
}

/** The span that `learn` applies a limit to: the API counts per minute, over a sliding window. */
const LEARNED_SPAN = 60_000;

export interface LimiterOptions {
  readonly clock: Clock;
  readonly concurrency: number;
  readonly rateLimit: 'learn' | RateLimit | false;
}

export const createLimiter = ({ clock, concurrency, rateLimit }: LimiterOptions): Limiter => {
  // Retries go first: a call that has begun should end before a new one begins.
  const retries = createFifo<Waiter>();
  const arrivals = createFifo<Waiter>();
  const pace = createPace(
    rateLimit === 'learn' ? LEARNED_SPAN : rateLimit === false ? undefined : rateLimit.perMs,
  );
  let allowed = typeof rateLimit === 'object' ? rateLimit.requests : undefined;
  let inFlight = 0;
  let pausedUntil = 0;
  let said: { limit: number | undefined; remaining: number | undefined } = {
    limit: undefined,
    remaining: undefined,
  };

  /** When the next request may start: undefined when only the end of one in flight can tell. */
  const startsAt = (now: number): number | undefined => {
    if (inFlight >= concurrency) {
      return undefined;
    }
    if (now < pausedUntil) {
      return pausedUntil;
    }
    return allowed === undefined ? now : pace.freeAt(allowed - inFlight, now);
  };

  const grant = (): Permit => {
    inFlight += 1;
    let held = true;
    return {
      release(counts) {
        if (!held) {
          return;
        }
        held = false;
        inFlight -= 1;
        if (counts) {
          pace.record(clock.now());
        }
        pump();
      },
    };
  };

  /** Starts whoever may start. The first of the others is told how long to sleep. */
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
        if (next.until !== at) {
          next.tell(at);
        }
        next.until = at;
        return;
      }
      next.leave();
      next.tell(grant());
    }
  };

  const wait = async ({ signal, retry, refuse }: AcquireOptions): Promise<Permit> => {
    const ended = new AbortController();
    const fail = (reason: unknown) => {
      waiter.leave();
      ended.abort(reason);
    };
    const abort = () => fail(signal.reason);
    const waiter: Waiter = { tell: () => {}, until: undefined, refuse, leave: () => {}, fail };
    waiter.leave = (retry ? retries : arrivals).add(waiter);
    signal.addEventListener('abort', abort, { once: true });
    let granted: Permit | undefined;
    const nextWord = () =>
      new Promise<Permit | number>((resolve) => {
        waiter.tell = (word) => {
          if (typeof word !== 'number') {
            granted = word;
          }
          resolve(word);
        };
      });

    try {
      let word = nextWord();
      pump();
      for (;;) {
        const told = await rejectOnAbort(word, ended.signal);
        if (typeof told !== 'number') {
          return told;
        }
        // Each sleeps for itself: where a timer ends with the request that set it, as in Workers, one for all would
        // end with the first of them.
        word = nextWord();
        const nap = new AbortController();
        word.then(() => nap.abort());
        try {
          await rejectOnAbort(clock.sleep(told - clock.now(), nap.signal, 'wait'), ended.signal);
          waiter.until = undefined;
          pump();
        } catch (reason) {
          // Told something else meanwhile.
          if (ended.signal.aborted || !nap.signal.aborted) {
            throw reason;
          }
        } finally {
          nap.abort();
        }
      }
    } catch (reason) {
      waiter.leave();
      granted?.release(false);
      pump();
      throw reason;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  };

  const refuseWaiting = () => {
    for (const waiter of [...retries.all(), ...arrivals.all()]) {
      try {
        waiter.refuse(pausedUntil);
      } catch (error) {
        waiter.fail(error);
      }
    }
  };

  return {
    async acquire(options) {
      if (options.signal.aborted) {
        throw options.signal.reason;
      }
      const now = clock.now();
      if (now < pausedUntil) {
        options.refuse(pausedUntil);
      }
      const at = retries.size + arrivals.size === 0 ? startsAt(now) : undefined;
      return at !== undefined && at <= now ? grant() : wait(options);
    },
    pause(until) {
      if (until <= pausedUntil) {
        return;
      }
      pausedUntil = until;
      refuseWaiting();
      pump();
    },
    observe({ limit, remaining }) {
      said = { limit: limit ?? said.limit, remaining: remaining ?? said.remaining };
      if (rateLimit === 'learn') {
        allowed = said.limit;
      }
    },
    snapshot: () => ({
      ...said,
      pausedUntil: clock.now() < pausedUntil ? Math.ceil(pausedUntil) : undefined,
      queued: retries.size + arrivals.size,
      inFlight,
    }),
  };
};
