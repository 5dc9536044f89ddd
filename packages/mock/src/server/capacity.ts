import { Refusal } from '../errors/refusal.ts';

/** The limits on all requests under way together. */
export interface CapacityLimits {
  readonly requests: number;
  /** The bytes of their bodies in memory. */
  readonly bodyBytes: number;
  /** The streams of events. */
  readonly listeners: number;
}

/** No test suite reaches these. Together with the connection limit, they bound the memory that strangers can fill. */
export const CAPACITY: CapacityLimits = { requests: 2_000, bodyBytes: 64 * 1024 * 1024, listeners: 100 };

const busy = (what: string): Refusal =>
  new Refusal(
    503,
    'SERVICE_UNAVAILABLE',
    `This server and its worlds are handling too many ${what} at once. Try again later.`,
    { 'retry-after': '1' },
  );

/** The share of one request in a {@link Capacity}. */
export interface Share {
  /** @throws {@link Refusal} 503, when all bodies together take too many bytes. */
  take(bytes: number): void;
  /**
   * Makes the request a listener to events until it ends. Each one may leave a megabyte unread.
   *
   * @throws {@link Refusal} 503, when too many listen already.
   */
  listen(): void;
  /** Returns everything that the request took. */
  end(): void;
}

/** Limits what all requests that are under way take together. */
export class Capacity {
  readonly #limits: CapacityLimits;
  readonly #taken = { requests: 0, bodyBytes: 0, listeners: 0 };

  constructor(limits: CapacityLimits = CAPACITY) {
    this.#limits = limits;
  }

  /**
   * Begins a request.
   *
   * @throws {@link Refusal} 503, when too many are under way.
   */
  begin(): Share {
    const own = { requests: 0, bodyBytes: 0, listeners: 0 };
    const take = (kind: keyof CapacityLimits, amount: number, what: string): void => {
      if (this.#taken[kind] + amount > this.#limits[kind]) {
        throw busy(what);
      }
      this.#taken[kind] += amount;
      own[kind] += amount;
    };
    take('requests', 1, 'requests');
    return {
      take: (bytes) => take('bodyBytes', bytes, 'large bodies'),
      listen: () => take('listeners', 1, `event streams (limit ${this.#limits.listeners})`),
      end: () => {
        for (const kind of ['requests', 'bodyBytes', 'listeners'] as const) {
          this.#taken[kind] -= own[kind];
          own[kind] = 0;
        }
      },
    };
  }
}
