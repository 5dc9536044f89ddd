import type { RateLimitInfo } from '../errors/index.ts';
import type { Clock } from '../time/clock.ts';

/** Longest pause, in milliseconds. A longer one is cut, so that the next call finds out whether the service accepts requests. */
export const MAX_PAUSE = 3_600_000;

/** A rate limit: at most `requests` in any `perMs` milliseconds. */
export interface RateLimit {
  /** The maximum number of requests: a whole number. */
  readonly requests: number;
  /** The length of the window, in milliseconds. */
  readonly perMs: number;
}

/** Writes a rate limit for messages: `20 per minute`, `20 per 5.2 s`. */
export const formatRateLimit = ({ requests, perMs }: RateLimit): string =>
  `${requests} per ${perMs === 60_000 ? 'minute' : `${Number((perMs / 1_000).toPrecision(3))} s`}`;

/** The load of a client that wants to start a request. */
export interface RateLoad {
  /** Requests in flight. */
  readonly inFlight: number;
  /** Requests that could start now if the rate limit let them. */
  readonly waiting: number;
  /** Maximum duration of an attempt of this client, in milliseconds. */
  readonly leaseMs: number;
}

/** The parts of a response that concern the rate limit. */
interface RateResponse {
  /** HTTP status. */
  readonly status: number;
  /** Whether the response is the API's, not that of a proxy, which may report a limit of its own. */
  readonly isFromApi: boolean;
  /** The rate limit that its headers report. */
  readonly rateLimit: RateLimitInfo;
}

/** The parts of a client that its {@link RateWindow} may use. */
export interface RateWindowHost {
  /** The clock of the client. */
  readonly clock: Clock;
  /** Removes the API key from a text. */
  readonly redact: (text: string) => string;
  /** Sends a warning to the client's `logger`. */
  readonly warn: (message: string) => void;
}

/**
 * A rate limit that several processes share: a value for the option `rateLimit` of `createClient`. `redisRateLimit` makes
 * one.
 */
export interface SharedRateLimit {
  /**
   * Called by `createClient`, once for each client.
   *
   * @internal
   */
  readonly open: (host: RateWindowHost) => RateWindow;
}

/** The response of the store of a shared rate limit. */
export interface StoreResponse {
  /** End of a pause that a 429 to another process began, in milliseconds since 1970; 0 for none. */
  readonly pausedUntil: number;
  /** Set when the wait of every call ends with a {@link RateLimitStoreError} of this cause. */
  readonly failure?: {
    /** A redacted copy of the store's error; undefined if it threw something else. */
    readonly cause: Error | undefined;
  };
}

/** How a request ended. */
export interface RequestEnding {
  /** Whether it counts: not if nothing was sent, or if the service refused it before acting (429). */
  readonly counts: boolean;
  /** The response of the API, or of a proxy in front of it. */
  readonly response?: RateResponse | undefined;
}

/** Counts the requests of a client against its rate limit. */
export interface RateWindow {
  /** Length of the window in milliseconds, given or learned; undefined while no limit applies. */
  readonly windowMs?: number | undefined;
  /**
   * Returns when the next request may start: `now` or later; undefined when that is unknown until a request ends or the
   * store responds. It changes nothing.
   */
  startsAt(now: number, load: RateLoad): number | undefined;
  /**
   * Takes the place of a request that starts now. It is called only right after {@link RateWindow.startsAt} returned `now`.
   *
   * @returns A function to call once the request has ended.
   */
  take(): (ending: RequestEnding) => void;
  /**
   * Gives back granted places that no call has taken, and asks the store for the places that waiting calls need. It is called
   * whenever a request may have started or may start.
   *
   * @returns Undefined if there is nothing to ask. It never rejects.
   */
  ask?(now: number, load: RateLoad): Promise<StoreResponse> | undefined;
  /** Tells other processes to send nothing for `ms` milliseconds, because the API refused a request. */
  pauseFor?(ms: number): void;
}
