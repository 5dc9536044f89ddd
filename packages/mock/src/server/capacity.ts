import { Refusal } from '../http/refusal.ts';

/** Requests that may be under way at once, and bytes of their bodies that may be in memory. */
export interface CapacityLimits {
  readonly requests: number;
  readonly bodyBytes: number;
}

/** Never reached by a test suite; together with the connections, they bound what strangers can make a server hold. */
export const CAPACITY: CapacityLimits = { requests: 2_000, bodyBytes: 64 * 1024 * 1024 };

/** What one request takes of a {@link Capacity}. */
export interface Share {
  /** @throws {Refusal} 503, once all bodies together take too much. */
  take(bytes: number): void;
  /** Gives back all that was taken. */
  end(): void;
}

const busy = (what: string): Refusal =>
  new Refusal(503, 'SERVICE_UNAVAILABLE', `This mock is answering too many ${what} at once`, {
    'retry-after': '1',
  });

/** Bounds what requests that are under way take together. */
export class Capacity {
  readonly #limits: CapacityLimits;
  #requests = 0;
  #bytes = 0;

  constructor(limits: CapacityLimits) {
    this.#limits = limits;
  }

  /**
   * Begins a request.
   *
   * @throws {Refusal} 503, if too many are under way.
   */
  begin(): Share {
    if (this.#requests >= this.#limits.requests) {
      throw busy('requests');
    }
    this.#requests += 1;
    let taken = 0;
    let ended = false;
    return {
      take: (bytes) => {
        if (this.#bytes + bytes > this.#limits.bodyBytes) {
          throw busy('large bodies');
        }
        taken += bytes;
        this.#bytes += bytes;
      },
      end: () => {
        if (ended) {
          return;
        }
        ended = true;
        this.#requests -= 1;
        this.#bytes -= taken;
      },
    };
  }
}
