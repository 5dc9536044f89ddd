import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { ControlContext, Worlds } from '../control/handler.ts';
import type { CreatedWorld, ListedWorld } from '../control/sendable.ts';
import { createMockWithKey } from '../create-mock.ts';
import { invalidArgument } from '../errors/mock-error.ts';
import { Refusal } from '../errors/refusal.ts';
import type { MockOptions } from '../world/options.ts';
import type { World } from '../world/world.ts';

/** The start of the path of every world. No operation of the API starts with it. */
const WORLDS_PREFIX = '/w/';

/** The path of a request in two parts: the one of its world, which is empty at the root, and the one below that. */
export const splitPath = (whole: string): { readonly prefix: string; readonly path: string } => {
  const [prefix = ''] = /^\/w\/[^/]*/.exec(whole) ?? [];
  return { prefix, path: whole.slice(prefix.length) };
};

/** Bytes for the requests and deliveries of a world by default, because a server may have many of them. */
const MAX_LOG_BYTES = 1024 * 1024;

/** The shortest and the longest time between two searches for unused worlds, in milliseconds. */
const [MIN_PAUSE, MAX_PAUSE] = [10, 2 ** 31 - 1];

/** A key that nobody can know, unlike that of a seed, which is the same wherever a mock is created. */
export const randomKey = (): string => `confab_live_${randomBytes(24).toString('base64url')}`;

const mebibytes = (bytes: number): string => `${(bytes / (1024 * 1024)).toFixed(1)} MiB`;

/** Bytes of a world without rows and logs. */
const EMPTY_WORLD = 64 * 1024;

/** Estimates the memory that a world takes, in bytes: its rows, its log of requests and its deliveries. */
const bytesOfWorld = ({ store, log, outbox }: World): number =>
  EMPTY_WORLD + store.bytes + log.bytes + outbox.bytes;

/** Worlds expire by real time, which the clock of no world moves. */
const now = (): number => performance.now();

interface Entry {
  readonly context: ControlContext;
  /** Requests under way. */
  busy: number;
  /** When it was last used, in milliseconds of real time. */
  usedAt: number;
}

interface ServedWorldsOptions {
  /** Milliseconds of real time after which an unused world is deleted. */
  readonly ttl: number;
  /** The most worlds at once. */
  readonly max: number;
  /** Bytes that all worlds together may take, when one is created. */
  readonly maxBytes: number;
  /** The clock of a world by default: that of the served mock. */
  readonly clock: 'virtual' | 'system';
  /** Called with each new world. */
  readonly onCreate: (world: World) => void;
}

/** The worlds below one server. */
export class ServedWorlds implements Worlds {
  readonly #options: ServedWorldsOptions;
  /** In the order of their creation. */
  readonly #entries = new Map<string, Entry>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ServedWorldsOptions) {
    this.#options = options;
  }

  create(options: MockOptions, origin: string): CreatedWorld {
    const { max, ttl, clock, onCreate } = this.#options;
    if (this.#entries.size >= max) {
      throw invalidArgument(
        `This server already has ${max} worlds. Delete those that you no longer need: DELETE /__mock/worlds/{id}.`,
      );
    }
    const id = randomBytes(8).toString('hex');
    const path = WORLDS_PREFIX + id;
    const baseUrl = origin + path;
    const apiKey = randomKey();
    const { mock, world } = createMockWithKey(
      { clock, maxLogBytes: MAX_LOG_BYTES, ...options, baseUrl },
      apiKey,
    );
    // Nothing of it runs yet, so a refusal leaves nothing behind.
    this.#checkBytes(bytesOfWorld(world));
    onCreate(world);
    const context = { mock, world, apiKey, start: mock.snapshot(), snapshots: new Map() };
    this.#entries.set(id, { context, busy: 0, usedAt: now() });
    const pause = Math.min(Math.max(ttl / 10, MIN_PAUSE), MAX_PAUSE);
    // An unused world must not keep the process alive.
    this.#timer ??= setInterval(() => this.#deleteUnused(), pause).unref();
    return { id, path, baseUrl, apiKey, ttlMs: ttl };
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
    this.#entries.delete(id);
    await entry?.context.mock.close();
    return entry !== undefined;
  }

  /**
   * Finds the world with a path such as `/w/<id>`. It counts as used until the response has ended.
   *
   * @throws {@link Refusal} 404, when no world has this path.
   */
  at(path: string, outgoing: ServerResponse): ControlContext {
    const id = path.slice(WORLDS_PREFIX.length);
    const entry = this.#entries.get(id);
    if (entry === undefined) {
      throw new Refusal(
        404,
        'WORLD_NOT_FOUND',
        `No world has the id ${JSON.stringify(id)}. It was deleted, or it expired because nothing used it. Create another with POST /__mock/worlds.`,
      );
    }
    entry.busy += 1;
    outgoing.once('close', () => {
      entry.busy -= 1;
      entry.usedAt = now();
    });
    return entry.context;
  }

  /** Deletes all worlds. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all([...this.#entries.keys()].map((id) => this.delete(id)));
  }

  /** @throws {@link Refusal} 507, when all worlds and one more of this size take too many bytes. */
  #checkBytes(added: number): void {
    const { maxBytes } = this.#options;
    const taken = [...this.#entries.values()].reduce(
      (sum, { context }) => sum + bytesOfWorld(context.world),
      0,
    );
    if (taken + added > maxBytes) {
      throw new Refusal(
        507,
        'INSUFFICIENT_STORAGE',
        `The worlds of this server take about ${mebibytes(taken)}, and this one would add ${mebibytes(added)}, but all of them together may take ${mebibytes(maxBytes)}. Delete those that you no longer need (DELETE /__mock/worlds/{id}), or raise \`maxWorldBytes\` of serve() or --max-world-bytes.`,
      );
    }
  }

  #deleteUnused(): void {
    for (const [id, { busy, usedAt }] of this.#entries) {
      if (busy === 0 && now() - usedAt >= this.#options.ttl) {
        void this.delete(id);
      }
    }
  }
}
