import { onAbort } from '@confab/internal';
import type { RateLimitInfo } from '../errors/index.ts';

/** How a request ended, as far as it concerns the rate limit. */
export interface RequestEnd {
  /** False when nothing was sent, or no connection was made. */
  readonly sent: boolean;
  /** The response of the API, or of a proxy in front of it. */
  readonly response?:
    | {
        readonly status: number;
        /** False for the response of a proxy, which may report a limit of its own. */
        readonly isFromApi: boolean;
        readonly rateLimit: RateLimitInfo;
      }
    | undefined;
  /** Milliseconds until the request is sent again; undefined when it is not. */
  readonly repeatsInMs?: number | undefined;
}

/** Permission to send one request. */
export interface Permit {
  /** Ends the request, applies what its response says about the rate limit, and frees its place. */
  end(end: RequestEnd): void;
}

/** Why a call is not sent. */
export type AcquireRefusal =
  | {
      /** The client is paused after a 429, for longer than the call may wait. */
      readonly refused: 'paused';
      /** Milliseconds until the pause ends. */
      readonly retryAfterMs: number;
    }
  | {
      /** The store of a shared rate limit failed. */
      readonly refused: 'store-failed';
      readonly cause: Error | undefined;
    };

export interface AcquireOptions {
  readonly signal: AbortSignal;
  /** Retries start before new calls: a call that has begun should end first. */
  readonly isRetry: boolean;
  /** True for a request that nobody waits for yet, such as one of an import. */
  readonly isBulk: boolean;
  /** Milliseconds that the attempt may take. */
  readonly timeout: number;
  /** Longest pause that the call waits out, in milliseconds. */
  readonly maxPause: number;
  /** When the call must have ended, in milliseconds since 1970; Infinity for no limit. */
  readonly endsAt: number;
}

/** How the wait of a call ends: it may be sent, or is refused, or fails as the promise does. */
type Turn = Permit | AcquireRefusal | Promise<never>;

/** A call in the queue. */
interface Waiter {
  readonly options: AcquireOptions;
  /** Leaves the queue. */
  readonly settle: (turn: Turn) => void;
}

/** The calls that wait: first come, first served, retries before new calls. */
export class Queue {
  // Sets are fast enough as queues: of 100,000 calls, the first one is found in 12 microseconds.
  readonly #retries = new Set<Waiter>();
  readonly #arrivals = new Set<Waiter>();

  /** Number of calls. */
  get size(): number {
    return this.#retries.size + this.#arrivals.size;
  }

  /** Returns the next call, which stays until it is settled. */
  first(): Waiter | undefined {
    const [waiter] = this.#retries.size > 0 ? this.#retries : this.#arrivals;
    return waiter;
  }

  /** Ends the wait of every call for which there is a result. */
  settleAll(turnOf: (options: AcquireOptions) => Turn | undefined): void {
    for (const { options, settle } of [...this.#retries, ...this.#arrivals]) {
      const turn = turnOf(options);
      if (turn) {
        settle(turn);
      }
    }
  }

  /**
   * Adds a call.
   *
   * @throws The signal's reason as soon as it is aborted.
   */
  wait(options: AcquireOptions): Promise<Permit | AcquireRefusal> {
    return new Promise((resolve) => {
      const { signal, isRetry } = options;
      const calls = isRetry ? this.#retries : this.#arrivals;
      const waiter: Waiter = {
        options,
        settle: (turn) => {
          calls.delete(waiter);
          stopListening();
          resolve(turn);
        },
      };
      const stopListening = onAbort(signal, () => waiter.settle(Promise.reject(signal.reason)));
      calls.add(waiter);
    });
  }
}
