import { createLocalWindow } from '../rate-limit/local-window.ts';
import type {
  RateLoad,
  RateWindow,
  RateWindowHost,
  RequestEnding,
  SharedRateLimit,
  StoreResponse,
} from '../rate-limit/window.ts';
import { MAX_PAUSE } from '../rate-limit/window.ts';
import { describeCause, safeCause } from '../secrecy/safe-cause.ts';
import { within } from '../time/time-limit.ts';

/** The answer of a {@link RateLimitStore} to a request for places. */
export interface RateLimitGrant {
  /** The names of the places that were granted: at most `count`. */
  readonly places: readonly string[];
  /** Milliseconds after which to ask again, when fewer than `count` places were granted. */
  readonly waitMs: number;
  /** Milliseconds until the end of a pause, which a 429 to any process began; 0 when there is no pause. */
  readonly pausedMs: number;
  /** A problem that the store has solved by itself. The client's `logger` receives the first one. */
  readonly warning?: string | undefined;
}

/** The window that several processes share. Each method is atomic, and all times come from the store's own clock. */
export interface RateLimitStore {
  /**
   * Takes up to `count` places; a `count` of 0 only asks whether the store responds. A place that is never released,
   * because its process died, becomes free after `leaseMs` milliseconds and the length of the window.
   */
  take(request: { readonly count: number; readonly leaseMs: number }): Promise<RateLimitGrant>;
  /** Ends a request. When it counts, its place becomes free one window from now; otherwise at once. */
  release(place: string, counts: boolean): Promise<unknown>;
  /** Grants nothing for `ms` milliseconds. The pause that ends last wins. */
  pause(ms: number): Promise<unknown>;
  /** Returns the error of the store's connection, if it is known. */
  connectionError?(): unknown;
}

/** Milliseconds within which a store must respond. Some clients queue commands for as long as they have no connection. */
const STORE_TIMEOUT = 1_000;

/** Minimum wait before the store is asked again, in milliseconds. */
const MIN_WAIT = 5;

/** Milliseconds after which a store that failed is tried again. */
const RECOVERY_INTERVAL = 1_000;

export interface SharedWindowOptions {
  readonly store: RateLimitStore;
  readonly requests: number;
  readonly perMs: number;
  /** Default `'local'`. */
  readonly onStoreError?: 'local' | 'throw' | undefined;
}

/**
 * Counts the requests of all processes that share a store.
 *
 * It takes places for all waiting calls at once, so that a burst costs one round trip. While the store fails, it applies the
 * full rate limit to this process alone, and tries the store again once a second.
 */
class SharedWindow implements RateWindow {
  readonly windowMs: number;
  readonly #options: SharedWindowOptions;
  readonly #host: RateWindowHost;
  /** Always counts the requests of this process, so that the count is right when the store fails. */
  readonly #local: RateWindow;
  /** Granted places that no request has used yet. */
  readonly #places: string[] = [];
  /** Milliseconds for which these places are leased. */
  #leasedMs = 0;
  #asking = false;
  #askAgainAt = 0;
  #failing = false;
  #warned = false;

  constructor(options: SharedWindowOptions, host: RateWindowHost) {
    const { requests, perMs } = options;
    this.windowMs = perMs;
    this.#options = options;
    this.#host = host;
    this.#local = createLocalWindow({ requests, perMs }, host.clock);
  }

  startsAt(now: number, load: RateLoad): number | undefined {
    const own = this.#local.startsAt(now, load);
    // Since the places were granted, a call with a longer timeout may have arrived.
    const hasPlace = this.#places.length > 0 && this.#leasedMs >= load.leaseMs;
    // The store does not know the requests that were sent while it failed.
    if (own !== now || hasPlace || this.#goesOnAlone()) {
      return own;
    }
    return this.#asking || now >= this.#askAgainAt ? undefined : this.#askAgainAt;
  }

  ask(now: number, load: RateLoad): Promise<StoreResponse> | undefined {
    this.#giveBack(this.#places.splice(0));
    if (this.#asking || now < this.#askAgainAt) {
      return undefined;
    }
    if (this.#goesOnAlone()) {
      // Asking for 0 places shows whether the store responds again.
      return this.#askStore(0, load.leaseMs);
    }
    return load.waiting > 0 && this.#local.startsAt(now, load) === now
      ? this.#askStore(load.waiting, load.leaseMs)
      : undefined;
  }

  take(): (ending: RequestEnding) => void {
    const place = this.#places.shift();
    const end = this.#local.take();
    return (ending) => {
      end(ending);
      if (place !== undefined) {
        this.#inBackground(() => this.#options.store.release(place, ending.counts));
      }
    };
  }

  pauseFor(ms: number): void {
    this.#inBackground(() => this.#options.store.pause(Math.ceil(ms)));
  }

  /** Returns true while the store fails and this process sends without it. */
  #goesOnAlone(): boolean {
    return this.#failing && this.#options.onStoreError !== 'throw';
  }

  async #askStore(count: number, leaseMs: number): Promise<StoreResponse> {
    const { perMs, onStoreError } = this.#options;
    const { clock, redact } = this.#host;
    this.#asking = true;
    try {
      const { places, waitMs, pausedMs, warning } = await this.#takePlaces(count, leaseMs);
      const now = clock.now();
      this.#recover(warning);
      this.#places.push(...places);
      this.#leasedMs = leaseMs;
      this.#askAgainAt = places.length < count ? now + Math.max(MIN_WAIT, Math.min(waitMs, perMs)) : 0;
      return { pausedUntil: pausedMs > 0 ? now + Math.min(pausedMs, MAX_PAUSE) : 0 };
    } catch (error) {
      this.#fail(error);
      const failure = { cause: safeCause(error, redact) };
      return { pausedUntil: 0, ...(onStoreError === 'throw' && { failure }) };
    } finally {
      this.#asking = false;
    }
  }

  /** Takes places from a store that may be slow. Places that arrive too late are given back. */
  #takePlaces(count: number, leaseMs: number): Promise<RateLimitGrant> {
    const { store } = this.#options;
    const grant = (async () => store.take({ count, leaseMs }))();
    return within(this.#host.clock, STORE_TIMEOUT, grant, () => {
      grant.then(
        ({ places }) => this.#giveBack(places),
        () => {},
      );
      const cause = store.connectionError?.();
      return new Error(`the store did not respond within ${STORE_TIMEOUT} ms`, { cause });
    });
  }

  #giveBack(places: readonly string[]): void {
    for (const place of places) {
      this.#inBackground(() => this.#options.store.release(place, false));
    }
  }

  /** Runs work that nobody waits for. An unhandled rejection would end the process. */
  #inBackground(work: () => Promise<unknown>): void {
    void (async () => work())().catch((error: unknown) => this.#fail(error));
  }

  #fail(error: unknown): void {
    const { clock, redact, warn } = this.#host;
    this.#askAgainAt = clock.now() + RECOVERY_INTERVAL;
    if (this.#failing) {
      return;
    }
    this.#failing = true;
    const reason = describeCause(safeCause(error, redact));
    warn(
      this.#options.onStoreError === 'throw'
        ? `The rate-limit store failed: ${reason}. Calls fail until it responds again.`
        : `The rate-limit store failed: ${reason}. Until it responds again, this process applies the full rate limit on its own, unaware of other processes.`,
    );
  }

  #recover(warning: string | undefined): void {
    if (this.#failing) {
      this.#failing = false;
      this.#host.warn('The rate-limit store responds again.');
    }
    if (warning && !this.#warned) {
      this.#warned = true;
      this.#host.warn(warning);
    }
  }
}

/** Shares a rate limit through a store. */
export const createSharedRateLimit = (options: SharedWindowOptions): SharedRateLimit => ({
  open: (host) => new SharedWindow(options, host),
});
