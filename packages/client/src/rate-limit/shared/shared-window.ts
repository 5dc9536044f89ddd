import { describeCause, safeCause } from '../../errors/safe-cause.ts';
import type { RateWindow, RateWindowHost, StoreResponse } from '../../options/rate-window.ts';
import type { Clock } from '../../time/clock.ts';
import { within } from '../../time/time-limit.ts';
import { createLocalWindow } from '../local-window.ts';

/** The response of a {@link RateLimitStore} to a process that asks for places. */
export interface RateLimitGrant {
  /** One name for each place that was granted, at most as many as were asked for. */
  readonly places: readonly string[];
  /** Milliseconds after which asking again may help, when fewer places were granted than asked for. */
  readonly waitMs: number;
  /** Milliseconds for which no process may send, because one of them received a 429; 0 when there is no pause. */
  readonly pausedMs: number;
  /** A problem of the engine that it has coped with. The client's `logger` receives the first one. */
  readonly warning?: string | undefined;
}

/**
 * The rate-limit window that several processes share, kept in an engine that all of them reach. `redisRateLimit` from
 * `@confab/client/redis` is one. Each method must be atomic, and all times must come from the engine's own clock:
 * clocks of different machines differ.
 */
export interface RateLimitStore {
  /**
   * Takes up to `count` places of the window; a `count` of 0 only asks whether the store responds.
   *
   * A place that is never released, because its process died, must become free again after `leaseMs` milliseconds and the
   * length of the window.
   */
  take(request: { readonly count: number; readonly leaseMs: number }): Promise<RateLimitGrant>;
  /**
   * Ends a request. When it counts, its place becomes free after the length of the window, measured from now; otherwise at
   * once.
   */
  release(place: string, counts: boolean): Promise<unknown>;
  /** Grants nothing for `ms` milliseconds. The pause that ends last wins. */
  pause(ms: number): Promise<unknown>;
  /**
   * Returns the error of the engine's connection, if it is known. The warning about a store that does not respond names
   * it.
   */
  connectionError?(): unknown;
}

/** Milliseconds within which a store must respond. Some clients queue commands for as long as they have no connection. */
const STORE_TIMEOUT = 1_000;

/** Milliseconds to wait at least before the store is asked again. */
const MIN_WAIT = 5;

/** Milliseconds: no API asks for a longer one. */
const MAX_PAUSE = 3_600_000;

/** Milliseconds after which a store that failed is tried again. */
const RECOVERY_INTERVAL = 1_000;

/** Returns the grant, or throws if a custom store has returned anything else. */
const checkGrant = (grant: RateLimitGrant): RateLimitGrant => {
  const { places, waitMs, pausedMs } = grant;
  if (!(Array.isArray(places) && Number.isFinite(waitMs) && Number.isFinite(pausedMs))) {
    throw new Error('take() must return `places`, `waitMs` and `pausedMs`');
  }
  return grant;
};

export interface SharedWindowOptions {
  readonly store: RateLimitStore;
  readonly requests: number;
  readonly perMs: number;
  readonly onStoreError: 'local' | 'throw';
}

/** Reports each failure of a store once, and its return. */
const createHealth = (onStoreError: 'local' | 'throw', { redact, warn }: RateWindowHost) => {
  let warned = false;
  const health = {
    failing: false,
    fail(error: unknown): void {
      if (health.failing) {
        return;
      }
      health.failing = true;
      const reason = describeCause(safeCause(error, redact));
      warn(
        onStoreError === 'throw'
          ? `The rate-limit store failed: ${reason}. Calls fail until it responds again.`
          : `The rate-limit store failed: ${reason}. Until it responds again, this process applies the full rate limit on its own, unaware of other processes.`,
      );
    },
    recover({ warning }: RateLimitGrant): void {
      if (health.failing) {
        health.failing = false;
        warn('The rate-limit store responds again.');
      }
      if (warning && !warned) {
        warned = true;
        warn(warning);
      }
    },
  };
  return health;
};

/**
 * Takes places of a store that may be slow or wrong.
 *
 * @param giveBack Called with the places of a response that comes too late: they are not lost.
 */
const takePlaces = async (
  store: RateLimitStore,
  clock: Clock,
  request: { readonly count: number; readonly leaseMs: number },
  giveBack: (places: readonly string[]) => void,
): Promise<RateLimitGrant> => {
  const grant = (async () => checkGrant(await store.take(request)))();
  const late = () => {
    grant.then(
      ({ places }) => giveBack(places),
      () => {},
    );
    const cause = store.connectionError?.();
    return new Error(`the store did not respond within ${STORE_TIMEOUT} ms`, { cause });
  };
  return within(clock, STORE_TIMEOUT, grant, late);
};

/**
 * Counts the requests of all processes that share a store.
 *
 * It takes as many places at once as calls are waiting, so that a burst costs one round trip. While the store fails, it
 * keeps to the whole rate limit by itself, and tries the store again once a second.
 */
export const createSharedWindow = (
  { store, requests, perMs, onStoreError }: SharedWindowOptions,
  host: RateWindowHost,
): RateWindow => {
  const { clock } = host;
  // Counts what this process sends at all times, so that it starts from a true count when the store fails.
  const local = createLocalWindow({ requests, perMs }, clock);
  const health = createHealth(onStoreError, host);
  /** Places that were granted and not used yet. */
  const places: string[] = [];
  /** Milliseconds that those places are leased for. */
  let leasedMs = 0;
  let asking = false;
  let askAgainAt = 0;

  const lost = (error: unknown): void => {
    askAgainAt = clock.now() + RECOVERY_INTERVAL;
    health.fail(error);
  };

  /** Runs work that nobody waits for: its failure must not end the process as an unhandled rejection. */
  const inBackground = (work: () => Promise<unknown>): void => {
    void (async () => work())().catch(lost);
  };

  const giveBack = (unused: readonly string[]): void => {
    for (const place of unused) {
      inBackground(() => store.release(place, false));
    }
  };

  const ask = async (count: number, leaseMs: number): Promise<StoreResponse> => {
    asking = true;
    try {
      const grant = await takePlaces(store, clock, { count, leaseMs }, giveBack);
      const now = clock.now();
      health.recover(grant);
      places.push(...grant.places);
      leasedMs = leaseMs;
      const waitMs = Math.max(MIN_WAIT, Math.min(grant.waitMs, perMs));
      askAgainAt = grant.places.length < count ? now + waitMs : 0;
      return { pausedUntil: grant.pausedMs > 0 ? now + Math.min(grant.pausedMs, MAX_PAUSE) : 0 };
    } catch (error) {
      lost(error);
      const failure = { cause: safeCause(error, host.redact) };
      return { pausedUntil: 0, ...(onStoreError === 'throw' && { failure }) };
    } finally {
      asking = false;
    }
  };

  return {
    windowMs: perMs,
    startsAt(now, load) {
      const own = local.startsAt(now, load);
      // A call with a longer timeout may have come since the places were granted.
      const hasPlace = places.length > 0 && leasedMs >= load.leaseMs;
      // The store does not know the requests that were sent while it failed.
      if (own !== now || hasPlace || (health.failing && onStoreError === 'local')) {
        return own;
      }
      return asking || now >= askAgainAt ? undefined : askAgainAt;
    },
    ask(now, load) {
      giveBack(places.splice(0));
      if (asking || now < askAgainAt) {
        return undefined;
      }
      if (health.failing && onStoreError === 'local') {
        // An empty question is enough to see whether the store responds again.
        return ask(0, load.leaseMs);
      }
      return load.waiting > 0 && local.startsAt(now, load) === now
        ? ask(load.waiting, load.leaseMs)
        : undefined;
    },
    take() {
      const place = places.shift();
      const ended = local.take();
      return (counts) => {
        ended(counts);
        if (place !== undefined) {
          inBackground(() => store.release(place, counts));
        }
      };
    },
    pause(until) {
      const ms = Math.ceil(until - clock.now());
      if (ms > 0) {
        inBackground(() => store.pause(ms));
      }
    },
  };
};
