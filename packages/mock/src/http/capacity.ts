import type { ServerResponse } from 'node:http';
import { Refusal } from '../errors/refusal.ts';
import type { ServerLimits } from './server-limits.ts';
import { SERVER_LIMITS } from './server-limits.ts';

/** What messages call them. */
const NAMES = { requests: 'requests', bodyBytes: 'bytes of bodies', listeners: 'event streams' };

/** The share of one request in a {@link Capacity}. Its methods throw a {@link Refusal} with 503 where all take too much. */
export interface Share {
  /** Takes memory for a part of the body. */
  take(bytes: number): void;
  /** Makes the request a listener to events. */
  listen(): void;
}

/** Limits the total cost of all requests in progress. */
export class Capacity {
  readonly #limits: ServerLimits;
  readonly #taken = { requests: 0, bodyBytes: 0, listeners: 0 };

  constructor(limits: Partial<ServerLimits> = {}) {
    this.#limits = { ...SERVER_LIMITS, ...limits };
  }

  /**
   * Begins a request, which returns everything that it takes once its response has ended.
   *
   * @throws {@link Refusal} 503, when too many are under way.
   */
  begin(outgoing: ServerResponse): Share {
    const own = { requests: 0, bodyBytes: 0, listeners: 0 };
    const take = (kind: keyof typeof NAMES, amount: number): void => {
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
