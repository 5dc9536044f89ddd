import { Refusal } from '../errors/refusal.ts';

/** The most requests under way at once, the most bytes of their bodies in memory, and the most listeners to events. */
export interface CapacityLimits {
  readonly requests: number;
  readonly bodyBytes: number;
  readonly listeners: number;
}

/** No test suite reaches these. With the limit of connections, they bound the memory that strangers can fill. */
export const CAPACITY: CapacityLimits = { requests: 2_000, bodyBytes: 64 * 1024 * 1024, listeners: 100 };

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

const busy = (what: string): Refusal =>
  new Refusal(
    503,
    'SERVICE_UNAVAILABLE',
    `This server and its worlds are handling too many ${what} at once. Try again later.`,
    {
      'retry-after': '1',
    },
  );

/** Limits what all requests that are under way take together. */
export class Capacity {
  readonly #limits: CapacityLimits;
  #requests = 0;
  #bytes = 0;
  #listeners = 0;

  constructor(limits: CapacityLimits) {
    this.#limits = limits;
  }

  /**
   * Begins a request.
   *
   * @throws {@link Refusal} 503, when too many are under way.
   */
  begin(): Share {
    if (this.#requests >= this.#limits.requests) {
      throw busy('requests');
    }
    this.#requests += 1;
    let taken = 0;
    let listening = 0;
    let ended = false;
    return {
      take: (bytes) => {
        if (this.#bytes + bytes > this.#limits.bodyBytes) {
          throw busy('large bodies');
        }
        taken += bytes;
        this.#bytes += bytes;
      },
      listen: () => {
        if (this.#listeners >= this.#limits.listeners) {
          throw busy(`listeners to events (${this.#limits.listeners})`);
        }
        this.#listeners += 1;
        listening += 1;
      },
      end: () => {
        if (ended) {
          return;
        }
        ended = true;
        this.#requests -= 1;
        this.#bytes -= taken;
        this.#listeners -= listening;
      },
    };
  }
}
