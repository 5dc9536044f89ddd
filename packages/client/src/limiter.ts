import type { Clock } from './clock.ts';
import { createFifo } from './fifo.ts';
import type { Rate } from './options.ts';
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

interface Waiter extends AcquireOptions {
  readonly start: (permit: Permit) => void;
  readonly fail: (reason: unknown) => void;
  readonly leave: () => void;
}

/** The span that `learn` applies a limit to: the API counts per minute, over a sliding window. */
const LEARNED_SPAN = 60_000;

export interface LimiterOptions {
  readonly clock: Clock;
  readonly concurrency: number;
  readonly rateLimit: 'learn' | Rate | false;
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
  let wake: { readonly at: number; readonly controller: AbortController } | undefined;
  let said: { limit: number | undefined; remaining: number | undefined } = {
    limit: undefined,
    remaining: undefined,
  };

  const cancelWake = () => {
    wake?.controller.abort();
    wake = undefined;
  };

  const wakeAt = (at: number) => {
    if (wake?.at === at) return;
    cancelWake();
    const controller = new AbortController();
    const mine = { at, controller };
    wake = mine;
    clock.sleep(at - clock.now(), controller.signal, 'wait').then(
      () => {
        if (wake === mine) wake = undefined;
        pump();
      },
      () => {
        // Not only ours: a clock that fails must not keep the next call from setting another.
        if (wake === mine) wake = undefined;
      },
    );
  };

  const grant = (waiter: Waiter) => {
    waiter.leave();
    inFlight += 1;
    let held = true;
    waiter.start({
      release(counts) {
        if (!held) return;
        held = false;
        inFlight -= 1;
        if (counts) pace.record(clock.now());
        pump();
      },
    });
  };

  /** Starts whoever may start, and sees to it that somebody comes back for the others. */
  const pump = () => {
    for (;;) {
      const next = retries.first() ?? arrivals.first();
      if (next === undefined) return cancelWake();
      // The end of a request in flight pumps again.
      if (inFlight >= concurrency) return cancelWake();
      const now = clock.now();
      if (now < pausedUntil) return wakeAt(pausedUntil);
      const freeAt = allowed === undefined ? now : pace.freeAt(allowed - inFlight, now);
      if (freeAt === undefined) return cancelWake();
      if (freeAt > now) return wakeAt(freeAt);
      grant(next);
    }
  };

  const refuseWaiting = () => {
    for (const waiter of [...retries.all(), ...arrivals.all()]) {
      try {
        waiter.refuse(pausedUntil);
      } catch (error) {
        waiter.leave();
        waiter.fail(error);
      }
    }
  };

  return {
    acquire: (options) =>
      new Promise<Permit>((resolve, reject) => {
        const { signal } = options;
        if (signal.aborted) return reject(signal.reason);
        // What this throws rejects the promise.
        if (clock.now() < pausedUntil) options.refuse(pausedUntil);
        const abort = () => {
          waiter.leave();
          reject(signal.reason);
          pump();
        };
        const waiter: Waiter = {
          ...options,
          start: resolve,
          fail: reject,
          leave: () => {
            leaveQueue();
            signal.removeEventListener('abort', abort);
          },
        };
        const leaveQueue = (options.retry ? retries : arrivals).add(waiter);
        signal.addEventListener('abort', abort, { once: true });
        pump();
      }),
    pause(until) {
      if (until <= pausedUntil) return;
      pausedUntil = until;
      refuseWaiting();
      pump();
    },
    observe({ limit, remaining }) {
      said = { limit: limit ?? said.limit, remaining: remaining ?? said.remaining };
      if (rateLimit === 'learn') allowed ??= limit;
    },
    snapshot: () => ({
      ...said,
      pausedUntil: clock.now() < pausedUntil ? Math.ceil(pausedUntil) : undefined,
      queued: retries.size + arrivals.size,
      inFlight,
    }),
  };
};
