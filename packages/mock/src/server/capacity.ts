import type { ServerResponse } from 'node:http';
import { Refusal } from '../errors/refusal.ts';

/** The limits on all requests under way together. */
export interface CapacityLimits {
  readonly requests: number;
  /** The bytes of their bodies in memory. */
  readonly bodyBytes: number;
  /** The streams of events. Each one may leave a megabyte unread. */
  readonly listeners: number;
}

/** No test suite reaches these. Together with the connection limit, they bound the memory that strangers can fill. */
const LIMITS: CapacityLimits = { requests: 2_000, bodyBytes: 64 * 1024 * 1024, listeners: 100 };

/** What messages call them. */
const NAMES = { requests: 'requests', bodyBytes: 'bytes of bodies', listeners: 'event streams' };

/** The share of one request in a {@link Capacity}. Its methods throw a {@link Refusal} with 503 where all take too much. */
export interface Share {
  /** Takes memory for a part of the body. */
  take(bytes: number): void;
  /** Makes the request a listener to events. */
  listen(): void;
}

/** Limits what all requests that are under way take together. */
export class Capacity {
  readonly #limits: CapacityLimits;
  readonly #taken = { requests: 0, bodyBytes: 0, listeners: 0 };

  constructor(limits: Partial<CapacityLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits };
  }

  /**
   * Begins a request, which returns everything that it takes once its response has ended.
   *
   * @throws {@link Refusal} 503, when too many are under way.
   */
  begin(outgoing: ServerResponse): Share {
    const own = { requests: 0, bodyBytes: 0, listeners: 0 };
    const take = (kind: keyof CapacityLimits, amount: number): void => {
      const limit = this.#limits[kind];
      if (this.#taken[kind] + amount > limit) {
        throw new Refusal(
          503,
          'SERVICE_UNAVAILABLE',
          `This server and its worlds are handling too many ${NAMES[kind]} (limit ${limit}) at once. Try again later.`,
          { 'retry-after': '1' },
        );
      }
      this.#taken[kind] += amount;
      own[kind] += amount;
    };
    take('requests', 1);
    outgoing.once('close', () => {
      this.#taken.requests -= own.requests;
      this.#taken.bodyBytes -= own.bodyBytes;
      this.#taken.listeners -= own.listeners;
    });
    return { take: (bytes) => take('bodyBytes', bytes), listen: () => take('listeners', 1) };
  }
}
