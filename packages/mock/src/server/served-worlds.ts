import { randomBytes } from 'node:crypto';
import type { ControlContext } from '../control/control-operation.ts';
import { Snapshots } from '../control/snapshots.ts';
import type { CreatedWorld, ListedWorld, WorldOptions, Worlds } from '../control/worlds.ts';
import { createMockWithKey } from '../create-mock.ts';
import { invalidArgument } from '../errors/mock-error.ts';
import { Refusal } from '../errors/refusal.ts';
import type { LoggedRequest } from '../world/log/logged-request.ts';
import type { Delivery } from '../world/webhooks/delivery.ts';
import { weightOf, weightOfRows } from '../world/weight-of.ts';
import { randomKey } from './random-key.ts';

/** The start of the path of every world. No operation of the API starts with it. */
export const WORLDS_PREFIX = '/w/';

/** Bytes for the requests and deliveries of a world by default, because a server may have many of them. */
const MAX_LOG_BYTES = 1024 * 1024;

/** The shortest time between two searches for unused worlds, in milliseconds. */
const SHORTEST_PAUSE = 10;

/** The longest delay of a timer: a longer one ends at once. */
const LONGEST_PAUSE = 2 ** 31 - 1;

const mebibytes = (bytes: number): string => `${(bytes / (1024 * 1024)).toFixed(1)} MiB`;

/** The rows that the options of a world bring. */
const rowsOf = ({ data }: WorldOptions): readonly object[] =>
  typeof data === 'object'
    ? Object.values(data)
        .flat()
        .filter((row) => typeof row === 'object' && row !== null)
    : [];

interface Entry {
  readonly context: ControlContext;
  /** Requests under way. */
  busy: number;
  /** When it was last used, in milliseconds of real time. */
  usedAt: number;
}

/** The options of {@link ServedWorlds}. */
export interface ServedWorldsOptions {
  /** Milliseconds of real time after which an unused world is deleted. */
  readonly ttl: number;
  /** The most worlds at once. */
  readonly max: number;
  /** Bytes that all worlds together may take, when one is created. */
  readonly maxBytes: number;
  /** The clock of a world by default: that of the served mock. */
  readonly clock: 'virtual' | 'system';
  /** The token of the server, which the logs of its worlds must not show. */
  readonly adminToken?: string | undefined;
  /** Called with each request to a world. */
  readonly onRequest?: ((request: LoggedRequest) => void) | undefined;
  /** Called with a delivery of a world after each attempt. */
  readonly onAttempt?: ((delivery: Delivery) => void) | undefined;
}

/** Decides about real time, which no world's clock moves. */
const now = (): number => performance.now();

/** The worlds below one server. */
export class ServedWorlds implements Worlds {
  readonly ttl: number;
  readonly #options: ServedWorldsOptions;
  /** In the order of their creation. */
  readonly #entries = new Map<string, Entry>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ServedWorldsOptions) {
    this.#options = options;
    this.ttl = options.ttl;
  }

  create(options: WorldOptions, origin: string): CreatedWorld {
    const { max, clock, adminToken, onRequest, onAttempt } = this.#options;
    if (this.#entries.size >= max) {
      throw invalidArgument(
        `This server already has ${max} worlds. Delete those that you no longer need: DELETE /__mock/worlds/{id}.`,
      );
    }
    this.#checkBytes(options);
    const id = randomBytes(8).toString('hex');
    const path = WORLDS_PREFIX + id;
    const apiKey = randomKey();
    const { mock, world } = createMockWithKey(
      { clock, maxLogBytes: MAX_LOG_BYTES, ...options, baseUrl: origin + path },
      apiKey,
    );
    if (adminToken !== undefined) {
      world.secrets.add(adminToken);
    }
    if (onRequest !== undefined) {
      world.log.subscribe(onRequest);
    }
    if (onAttempt !== undefined) {
      world.outbox.subscribe(onAttempt);
    }
    const context = { mock, world, apiKey, start: mock.snapshot(), snapshots: new Snapshots() };
    this.#entries.set(id, { context, busy: 0, usedAt: now() });
    this.#schedule();
    return { id, path, apiKey };
  }

  list(): readonly ListedWorld[] {
    return [...this.#entries].map(([id, { busy, usedAt }]) => ({
      id,
      path: WORLDS_PREFIX + id,
      unusedMs: busy > 0 ? 0 : Math.round(now() - usedAt),
      busy,
    }));
  }

  async delete(id: string): Promise<boolean> {
    const entry = this.#entries.get(id);
    if (entry === undefined) {
      return false;
    }
    this.#entries.delete(id);
    await entry.context.mock.close();
    return true;
  }

  /**
   * Begins a request to a world; `undefined` if there is none with this id. Until the request has ended, the world counts
   * as used.
   */
  enter(id: string): { readonly context: ControlContext; readonly leave: () => void } | undefined {
    const entry = this.#entries.get(id);
    if (entry === undefined) {
      return undefined;
    }
    entry.busy += 1;
    return {
      context: entry.context,
      leave: () => {
        entry.busy -= 1;
        entry.usedAt = now();
      },
    };
  }

  /** Deletes all worlds. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await Promise.all([...this.#entries.keys()].map((id) => this.delete(id)));
  }

  /** @throws {@link Refusal} 507, when a world with these options would need too many bytes. */
  #checkBytes(options: WorldOptions): void {
    const { maxBytes } = this.#options;
    const taken = [...this.#entries.values()].reduce((sum, { context }) => sum + weightOf(context.world), 0);
    const wanted = weightOfRows(rowsOf(options));
    if (taken + wanted <= maxBytes) {
      return;
    }
    throw new Refusal(
      507,
      'INSUFFICIENT_STORAGE',
      `The worlds of this server take about ${mebibytes(taken)}, and this one would add ${mebibytes(wanted)} of rows, but all of them together may take ${mebibytes(maxBytes)}. Delete those that you no longer need (DELETE /__mock/worlds/{id}), or raise \`maxWorldBytes\` of serve() or --max-world-bytes.`,
    );
  }

  /** Searches for unused worlds when the next one may have become so. */
  #schedule(): void {
    if (this.#timer !== undefined || this.#entries.size === 0) {
      return;
    }
    const oldest = Math.min(...[...this.#entries.values()].map(({ usedAt }) => usedAt));
    const pause = Math.min(Math.max(oldest + this.ttl - now(), this.ttl / 10, SHORTEST_PAUSE), LONGEST_PAUSE);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#deleteUnused();
      this.#schedule();
    }, pause);
    // An unused world must not keep the process alive.
    this.#timer.unref();
  }

  #deleteUnused(): void {
    for (const [id, { busy, usedAt }] of this.#entries) {
      if (busy === 0 && now() - usedAt >= this.ttl) {
        void this.delete(id);
      }
    }
  }
}
