import type { Clock } from '../time/clock.ts';

/** The load of a client that wants to start a request. */
export interface RateLoad {
  /** Requests under way. */
  readonly inFlight: number;
  /** Requests that could start now if the rate limit let them. */
  readonly waiting: number;
  /** Milliseconds that any attempt of this client may take at most. */
  readonly leaseMs: number;
}

/** The evidence of a response about the window of the service. */
export type Evidence =
  | {
      /** The API accepted the request. */
      readonly kind: 'accepted';
    }
  | {
      /** The API refused the request with a 429. */
      readonly kind: 'refused';
      /** The `Retry-After` of a 429 in milliseconds. */
      readonly retryAfterMs: number;
    };

/** The parts of a client that its {@link RateWindow} may use. */
export interface RateWindowHost {
  /** The clock of the client. */
  readonly clock: Clock;
  /** Must be called when a request may start that could not start before. */
  readonly changed: () => void;
  /** Pauses the client, because another process received a 429. */
  readonly pause: (until: number) => void;
  /** Ends the wait of every call with a {@link RateLimitStoreError} of this cause. */
  readonly fail: (cause: Error | undefined) => void;
  /** Removes the API key from a text. */
  readonly redact: (text: string) => string;
  /** Sends a warning to the client's `logger`. */
  readonly warn: (message: string) => void;
}

/**
 * A rate limit that several processes share: a value for the option `rateLimit` of `createClient`. `redisRateLimit` and
 * `sharedRateLimit` make one.
 */
export interface SharedRateLimit {
  /** Called by `createClient`, once for each client. */
  readonly open: (host: RateWindowHost) => RateWindow;
}

/** Counts the requests of a client against its rate limit. */
export interface RateWindow {
  /** Length of the window in milliseconds, given or learned; undefined while no limit applies. */
  readonly windowMs?: number | undefined;
  /**
   * When the next request may start: `now` or later; undefined when that is not known yet. In that case the limiter asks
   * again after the end of a request, and when the host's `changed` is called.
   */
  startsAt(now: number, load: RateLoad): number | undefined;
  /**
   * Takes the place of a request that starts now. It is called only right after {@link RateWindow.startsAt} returned `now`.
   *
   * @returns A function to call once the request has ended. It must be passed false when nothing was sent, or when the
   * service refused before acting (429): such a request does not count. The second argument is what its response proves.
   */
  take(): (counts: boolean, evidence?: Evidence) => void;
  /** Applies the limit that the API reports. */
  learn(limit: number | undefined): void;
  /** Tells other processes that the API refused a request. */
  pause(until: number): void;
}
