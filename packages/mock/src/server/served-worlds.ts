import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { ControlContext, Worlds } from '../control/context.ts';
import { createMockWithKey } from '../create-mock.ts';
import { invalidArgument } from '../errors/mock-error.ts';
import { Refusal } from '../errors/refusal.ts';
import { SERVER_LIMITS } from '../http/server-limits.ts';
import type { World } from '../world/world.ts';
import type { ListenOptions } from './serve-options.ts';

/** The start of the path of every world. No operation of the API starts with it. */
const WORLDS_PREFIX = '/w/';

/** Splits the path of a request into the path of its world, which is empty at the root, and the path below that. */
export const splitPath = (whole: string): { readonly prefix: string; readonly path: string } => {
  const [prefix = ''] = /^\/w\/[^/]*/.exec(whole) ?? [];
  return { prefix, path: whole.slice(prefix.length) };
};

/** The longest delay of a timer, in milliseconds. With a longer `worldTtl`, worlds are never deleted. */
const MAX_DELAY = 2 ** 31 - 1;

/** Creates a key that nobody can guess, unlike the key from a seed, which all mocks with that seed have. */
export const randomKey = (): string => `confab_live_${randomBytes(24).toString('base64url')}`;

/** Worlds expire in real time, whatever their clocks say. */
const now = (): number => performance.now();

interface Entry {
  readonly context: ControlContext;
  /** Requests in flight. */
  busy: number;
  /** When it was last used, in milliseconds of real time. */
  usedAt: number;
  /** Deletes the world, unless it is busy. Restarted after each use. */
  readonly timer: NodeJS.Timeout | undefined;
}

/** The worlds below one server. */
export interface ServedWorlds extends Worlds {
  /**
   * Finds the world with a path such as `/w/<id>`. The world counts as used until the response has ended.
   *
   * @throws A {@link Refusal} 404, when no world has this path.
   */
  find(path: string, outgoing: ServerResponse): ControlContext;
  /** Deletes all worlds. */
  close(): Promise<void>;
}

/**
 * Creates the worlds below a server: none at first.
 *
 * @param clock The default kind of a world's clock: that of the mock at the root.
 * @param onCreate Called with each new world.
 */
export const createWorlds = (
  { worldTtl: ttl = SERVER_LIMITS.worldTtl, limits }: ListenOptions,
  clock: 'virtual' | 'system',
  onCreate: (world: World) => void,
): ServedWorlds => {
  /** By id, oldest first. */
  const entries = new Map<string, Entry>();
  const { worlds: maxWorlds, worldLogBytes } = { ...SERVER_LIMITS, ...limits };

  const remove = async (id: string): Promise<boolean> => {
    const entry = entries.get(id);
    entries.delete(id);
    clearTimeout(entry?.timer);
    await entry?.context.mock.close();
    return entry !== undefined;
  };

  return {
    create(options, origin) {
      if (entries.size >= maxWorlds) {
        throw invalidArgument(
          `This server already has ${maxWorlds} worlds. Delete those that you no longer need with DELETE /__mock/worlds/{id}, or start the server with a shorter \`worldTtl\` or --world-ttl.`,
        );
      }
      const id = randomBytes(8).toString('hex');
      const path = WORLDS_PREFIX + id;
      const baseUrl = origin + path;
      const apiKey = randomKey();
      const made = createMockWithKey({ clock, maxLogBytes: worldLogBytes, ...options, baseUrl }, apiKey);
      onCreate(made.world);
      const context = { ...made, apiKey, start: made.mock.snapshot(), snapshots: new Map() };
      // Finds the entry by its id: the last response may restart the timer of a deleted world, which must not stay in memory.
      const removeUnused = () => {
        if (entries.get(id)?.busy === 0) {
          void remove(id);
        }
      };
      // An unused world must not keep the process alive.
      const timer = ttl > MAX_DELAY ? undefined : setTimeout(removeUnused, ttl).unref();
      entries.set(id, { context, busy: 0, usedAt: now(), timer });
      return { id, path, baseUrl, apiKey, ttlMs: ttl };
    },

    list: () =>
      [...entries].map(([id, { busy, usedAt }]) => ({
        id,
        path: WORLDS_PREFIX + id,
        unusedMs: busy > 0 ? 0 : Math.round(now() - usedAt),
        busy,
      })),

    delete: remove,

    find(path, outgoing) {
      const id = path.slice(WORLDS_PREFIX.length);
      const entry = entries.get(id);
      if (entry === undefined) {
        throw new Refusal(
          404,
          'WORLD_NOT_FOUND',
          `No world has the id ${JSON.stringify(id)}. It was deleted, or it expired because nothing used it. Create a new one with POST /__mock/worlds.`,
        );
      }
      entry.busy += 1;
      outgoing.once('close', () => {
        entry.busy -= 1;
        entry.usedAt = now();
        entry.timer?.refresh();
      });
      return entry.context;
    },

    async close() {
      await Promise.all([...entries.keys()].map(remove));
    },
  };
};
