import type { PauseEvent } from '../hooks/events.ts';
import type { Redact } from '../secrecy/redact.ts';
import { createAlarm } from '../time/alarm.ts';
import type { Clock } from '../time/clock.ts';
import { dateOf } from '../time/clock.ts';
import { createLocalWindow } from './local-window.ts';
import type { AcquireOptions, AcquireRefusal, Permit } from './queue.ts';
import { Queue } from './queue.ts';
import type { RateLimit, RateLoad, RateWindow, SharedRateLimit } from './window.ts';
import { formatRateLimit } from './window.ts';

/** The current rate-limit state of a client. */
export interface RateLimitSnapshot {
  /** The number of requests per window that the service last reported; undefined before the first report. */
  readonly limit: number | undefined;
  /**
   * The length of the window in milliseconds, as configured or as learned so far; undefined while no limit applies.
   */
  readonly windowMs: number | undefined;
  /** The number of requests left that the service last reported; undefined before the first report. */
  readonly remaining: number | undefined;
  /** When the pause after a 429 ends, in milliseconds since 1970; undefined while there is no pause. */
  readonly pausedUntil: number | undefined;
  /** The number of calls that wait for a free slot, the rate limit or the end of a pause. */
  readonly queued: number;
  /** The number of requests in flight. */
  readonly inFlight: number;
}

export interface LimiterOptions {
  readonly clock: Clock;
  readonly concurrency: number;
  readonly rateLimit: 'learn' | RateLimit | SharedRateLimit | false;
  /** Called when a pause starts. */
  readonly onPause?: ((event: PauseEvent) => void) | undefined;
  /** Called when `'learn'` starts to apply a limit or a window. */
  readonly onLearn?: ((limit: RateLimit) => void) | undefined;
  /** Called when the store of a shared rate limit fails or responds again. */
  readonly warn?: ((message: string) => void) | undefined;
  /** Removes the API key from a text. */
  readonly redact?: Redact | undefined;
}

const isShared = (rateLimit: LimiterOptions['rateLimit']): rateLimit is SharedRateLimit =>
  typeof rateLimit === 'object' && 'open' in rateLimit;

/** Returns the refusal of a call that may not wait for the end of the pause. */
const refusePause = (
  { maxPauseMs, endsAt }: AcquireOptions,
  pausedUntil: number,
  now: number,
): AcquireRefusal | undefined => {
  const retryAfterMs = Math.ceil(pausedUntil - now);
  const bound = retryAfterMs > maxPauseMs ? 'retry.maxRetryAfter' : 'totalTimeout';
  return retryAfterMs > 0 && (retryAfterMs > maxPauseMs || now + retryAfterMs >= endsAt)
    ? { kind: 'paused', retryAfterMs, bound }
    : undefined;
};

/**
 * Decides when each request of a client may start: it must be the first in the queue, have a slot, and be let through by
 * the pause and by the window.
 */
export class Limiter {
  readonly #options: LimiterOptions;
  /**
   * A bulk request starts only while fewer requests than this are in flight, so that a slot stays free for direct calls.
   * With one slot, none does.
   */
  readonly #bulkSlots: number;
  readonly #queue = new Queue();
  readonly #window: RateWindow;
  readonly #setAlarm: (at: number | undefined) => void;
  #inFlight = 0;
  #pausedUntil = 0;
  /** The longest `leaseMs` of any request so far. */
  #maxLeaseMs = 0;
  #reportedLimit: number | undefined;
  #reportedRemaining: number | undefined;

  constructor(options: LimiterOptions) {
    const { clock, rateLimit, onLearn, warn = () => {}, redact = (text) => text } = options;
    this.#options = options;
    this.#bulkSlots = Math.max(1, options.concurrency - 1);
    this.#window = isShared(rateLimit)
      ? rateLimit.open({ clock, warn, redact })
      : createLocalWindow(rateLimit, clock, onLearn);
    this.#setAlarm = createAlarm(
      clock,
      () => this.#startAll(),
      (reason) => this.#queue.settleAll(() => Promise.reject(reason)),
    );
  }

  /**
   * Resolves when the request may start, in the order of the {@link Queue}.
   *
   * @throws The signal's reason as soon as it is aborted.
   */
  async acquire(options: AcquireOptions): Promise<Permit | AcquireRefusal> {
    const { signal, leaseMs } = options;
    signal.throwIfAborted();
    this.#maxLeaseMs = Math.max(this.#maxLeaseMs, leaseMs);
    const now = this.#options.clock.now();
    const refusal = now < this.#pausedUntil ? refusePause(options, this.#pausedUntil, now) : undefined;
    if (refusal) {
      return refusal;
    }
    const at = this.#queue.size === 0 ? this.#startsAt(now, options.isBulk) : undefined;
    if (at !== undefined && at <= now) {
      const permit = this.#grant();
      // A local window has no store.
      if (this.#window.ask) {
        this.#askStore(now);
      }
      return permit;
    }
    const wait = this.#queue.wait(options);
    this.#startAll();
    const result = await wait.catch((reason) => {
      this.#startAll();
      throw reason;
    });
    // The call may have been aborted after its permit was granted.
    if (signal.aborted && result.kind === 'permit') {
      result.end({ counts: false });
      throw signal.reason;
    }
    return result;
  }

  /** Sends nothing for `ms` milliseconds. The pause that ends last wins. */
  pauseFor(ms: number): void {
    // Many requests are often refused at once, but the other processes need to hear of the pause only once.
    if (ms > 0 && this.#pauseUntil(this.#options.clock.now() + ms)) {
      this.#window.pauseFor?.(ms);
    }
  }

  /** Returns true during a pause. */
  isPaused(): boolean {
    return this.#options.clock.now() < this.#pausedUntil;
  }

  /** Returns what the next call waits for, for an error message. */
  waitsFor(): string {
    const { clock, concurrency, rateLimit } = this.#options;
    const now = clock.now();
    if (now < this.#pausedUntil) {
      return 'the end of the pause after a 429';
    }
    // If requests in flight have used up the rate limit too, more slots would not help.
    const isWithinLimit = isShared(rateLimit) || this.#window.startsAt(now, this.#load(now)) === now;
    if (this.#inFlight >= this.#bulkSlots && isWithinLimit) {
      return `a free slot (\`concurrency\` is ${concurrency})`;
    }
    const { windowMs } = this.#window;
    if (rateLimit === 'learn' && this.#reportedLimit !== undefined && windowMs !== undefined) {
      const limit = formatRateLimit({ requests: this.#reportedLimit, perMs: windowMs });
      return `the rate limit (${limit}, learned from the service)`;
    }
    return typeof rateLimit === 'object' && 'perMs' in rateLimit
      ? `the rate limit (${formatRateLimit(rateLimit)})`
      : 'the rate limit';
  }

  /** Returns the current state. */
  snapshot(): RateLimitSnapshot {
    const { clock } = this.#options;
    return {
      limit: this.#reportedLimit,
      windowMs: this.#window.windowMs,
      remaining: this.#reportedRemaining,
      pausedUntil: this.isPaused() ? Math.ceil(dateOf(clock, this.#pausedUntil)) : undefined,
      queued: this.#queue.size,
      inFlight: this.#inFlight,
    };
  }

  #load(now: number): RateLoad {
    const inFlight = this.#inFlight;
    let waiting = 0;
    if (this.#queue.size > 0 && now >= this.#pausedUntil) {
      const { size, bulkSize } = this.#queue;
      const direct = Math.min(size - bulkSize, this.#options.concurrency - inFlight);
      waiting = direct + Math.min(bulkSize, Math.max(0, this.#bulkSlots - inFlight - direct));
    }
    return { inFlight, waiting, leaseMs: this.#maxLeaseMs };
  }

  /** Returns when the next request may start; undefined when that depends on a request in flight or on a store. */
  #startsAt(now: number, isBulk: boolean): number | undefined {
    if (this.#inFlight >= (isBulk ? this.#bulkSlots : this.#options.concurrency)) {
      return undefined;
    }
    return now < this.#pausedUntil ? this.#pausedUntil : this.#window.startsAt(now, this.#load(now));
  }

  #grant(): Permit {
    const end = this.#window.take();
    this.#inFlight += 1;
    let isHeld = true;
    return {
      kind: 'permit',
      end: (ending) => {
        if (!isHeld) {
          return;
        }
        isHeld = false;
        const { response } = ending;
        if (response?.isFromApi) {
          this.#reportedLimit = response.rateLimit.limit ?? this.#reportedLimit;
          this.#reportedRemaining = response.rateLimit.remaining ?? this.#reportedRemaining;
        }
        this.#inFlight -= 1;
        end(ending);
        if (this.#queue.size > 0) {
          this.#startAll();
        }
      },
    };
  }

  /** Starts every request that may start, and sets the alarm for the one after them. */
  #startAll(): void {
    for (;;) {
      const next = this.#queue.first();
      const now = this.#options.clock.now();
      const at = next && this.#startsAt(now, next.options.isBulk);
      if (next === undefined || at === undefined || at > now) {
        this.#setAlarm(at);
        this.#askStore(now);
        return;
      }
      next.settle(this.#grant());
    }
  }

  /** Asks the store of a shared window for the places that the waiting calls need. */
  #askStore(now: number): void {
    this.#window.ask?.(now, this.#load(now))?.then(({ pausedUntil, failure }) => {
      if (failure) {
        this.#queue.settleAll(() => ({ kind: 'store-failed', cause: failure.cause }));
      }
      this.#pauseUntil(pausedUntil);
      this.#startAll();
    });
  }

  /** Sets the end of the pause. Returns true if the pause became longer. */
  #pauseUntil(until: number): boolean {
    if (until <= this.#pausedUntil) {
      return false;
    }
    const { clock, onPause } = this.#options;
    const now = clock.now();
    const isNew = this.#pausedUntil <= now && now < until;
    this.#pausedUntil = until;
    this.#queue.settleAll((options) => refusePause(options, until, now));
    this.#startAll();
    if (isNew) {
      const durationMs = Math.ceil(until - now);
      onPause?.({ pausedUntil: Math.ceil(dateOf(clock, until)), durationMs, queued: this.#queue.size });
    }
    return true;
  }
}
