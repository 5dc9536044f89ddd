import type { ServerResponse } from 'node:http';
import { Refusal } from '../errors/refusal.ts';
import type { ServerLimits } from './server-limits.ts';
import { SERVER_LIMITS } from './server-limits.ts';

/** The words of messages. */
const NAMES = { requests: 'requests', bodyBytes: 'bytes of bodies', listeners: 'event streams' };

const NONE = { requests: 0, bodyBytes: 0, listeners: 0 };

/**
 * Takes a share of the {@link Capacity} of a server for a request.
 *
 * @throws A {@link Refusal} 503, when all requests together take too much.
 */
export type Take = (kind: keyof typeof NAMES, amount: number) => void;

/** Limits the resources that all requests in flight take together. */
export class Capacity {
  readonly #limits: ServerLimits;
  readonly #taken = { ...NONE };

  constructor(limits: Partial<ServerLimits> = {}) {
    this.#limits = { ...SERVER_LIMITS, ...limits };
  }

  /**
   * Begins a request. Everything that it takes is free again once its response has ended.
   *
   * @throws A {@link Refusal} 503, when too many requests are in flight.
   */
  begin(outgoing: ServerResponse): Take {
    const own = { ...NONE };
    const take: Take = (kind, amount) => {
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
    return take;
  }
}
