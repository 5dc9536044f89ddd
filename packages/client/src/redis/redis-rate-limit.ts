import type { Checks } from '@confab/internal';
import {
  checkThat,
  integerFrom,
  isRedisClient,
  millisecondsFrom,
  oneOf,
  runRedisScript,
  watchRedisErrors,
} from '@confab/internal';
import { checkOptions } from '../options/option-checks.ts';
import type { SharedRateLimit } from '../rate-limit/window.ts';
import type { RateLimitStore } from './shared-window.ts';
import { createSharedRateLimit } from './shared-window.ts';
import { MAX_TIME, PAUSE, RELEASE, TAKE } from './window-scripts.ts';

/** The methods that identify and use a client of the package `redis`, for one node or a cluster. */
export interface NodeRedisClient {
  /** Runs a Lua script. */
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  /** Never called: it distinguishes this client from others, whose `eval` has different arguments. */
  sendCommand(...args: never[]): Promise<unknown>;
}

/** The method that is used of a client of the package `ioredis`, for one node or a cluster. */
export interface IoRedisClient {
  /** Sends any command. */
  call(command: string, ...args: (string | number)[]): Promise<unknown>;
}

/** Options of {@link redisRateLimit}. */
export interface RedisRateLimitOptions {
  /** A connected client of the package `redis` or `ioredis`, for one node or a cluster. */
  client: NodeRedisClient | IoRedisClient;
  /** The maximum number of requests in any `perMs` milliseconds, across all processes. */
  requests: number;
  /** The length of the sliding window in milliseconds: at most a day. */
  perMs: number;
  /**
   * The name of the shared limit, different for each API key. Clients with the same name share the limit.
   *
   * @default 'default'
   */
  name?: string | undefined;
  /**
   * What to do while Redis fails. `'local'`: keep to the rate limit within this process, with a warning to the client's
   * `logger`. `'throw'`: fail the calls that wait, with {@link RateLimitStoreError}.
   *
   * @default 'local'
   */
  onStoreError?: 'local' | 'throw' | undefined;
}

/** A day in milliseconds. */
const MAX_WINDOW = 86_400_000;

const OPTIONS: Checks<RedisRateLimitOptions> = {
  client: isRedisClient,
  name: checkThat(
    (value) => typeof value === 'string' && value !== '' && !/[{}]/.test(value),
    'a non-empty string without braces, such as "main-key"',
  ),
  requests: integerFrom(1),
  perMs: (name, value) =>
    millisecondsFrom(1)(name, value) ??
    (Number(value) > MAX_WINDOW
      ? `\`perMs\` must be at most ${MAX_WINDOW}, which is a day, got ${value}.`
      : undefined),
  onStoreError: oneOf('local', 'throw'),
};

const FROM_THE_FUTURE =
  'The rate limit in Redis contained times in the future: its clock has stepped back, or a backup was restored. The client treats them as the current time.';

const createRedisStore = (
  client: NodeRedisClient | IoRedisClient,
  { name, requests, perMs }: { readonly name: string; readonly requests: number; readonly perMs: number },
): RateLimitStore => {
  // The braces are a hash tag: a cluster keeps the keys on one node, so that one script may use all of them.
  const window = `confab:{${name}}:window`;
  const pause = `confab:{${name}}:pause`;
  const line = `confab:{${name}}:line`;
  const processId = crypto.randomUUID();
  const errors = watchRedisErrors(client);
  return {
    connectionError: () => errors.last,
    async take({ count, leaseMs }) {
      const lease = Math.min(leaseMs, MAX_TIME);
      const batch = `${crypto.randomUUID()}:${Math.ceil(lease + perMs)}:`;
      const reply = await runRedisScript(
        client,
        TAKE,
        [window, pause, line],
        [requests, perMs, count, lease, batch, processId],
      );
      errors.last = undefined;
      const [granted = 0, waitMs = 0, pausedMs = 0, moved = 0] = (reply as unknown[]).map(Number);
      return {
        places: Array.from({ length: granted }, (_, index) => batch + (index + 1)),
        waitMs,
        pausedMs,
        warning: moved ? FROM_THE_FUTURE : undefined,
      };
    },
    release: (place, counts) => runRedisScript(client, RELEASE, [window], [place, perMs, counts ? 1 : 0]),
    pause: (ms) => runRedisScript(client, PAUSE, [pause], [Math.min(ms, MAX_TIME)]),
  };
};

/**
 * Shares one rate limit between processes through Redis: `requests` in any `perMs` milliseconds, across all processes,
 * and one pause for all of them after a 429. Each operation is one Lua script that uses the clock of Redis.
 *
 * Within a process, places are granted first come, first served. Processes take turns: while there are too few places,
 * each process gets one, and goes to the end of the line for its next one. The places of a process that dies become free once their
 * lease and the window have passed. The lease is the longest `timeout` of the process's calls, plus 30 seconds each if
 * `apiKey` and `headers` are functions. While Redis cannot be reached, each process applies the full limit on its own and
 * warns the client's `logger`; it returns to the shared window within a second of Redis's return. A lost connection does
 * not end the process: the client's `error` event has a listener.
 *
 * @throws A {@link ConfigurationError} when an option is missing or invalid.
 * @example
 * ```ts
 * import { createClient } from '@confab/client';
 * import { redisRateLimit } from '@confab/client/redis';
 * import { createClient as createRedis } from 'redis';
 *
 * const client = await createRedis({ url: 'redis://localhost:6379' }).connect();
 * const confab = createClient({
 *   rateLimit: redisRateLimit({ client, requests: 600, perMs: 60_000, name: 'main-key' }),
 * });
 * ```
 */
export const redisRateLimit = (options: RedisRateLimitOptions): SharedRateLimit => {
  checkOptions('redisRateLimit option', options, OPTIONS, undefined, {
    required: ['client', 'requests', 'perMs'],
  });
  const { client, name = 'default', requests, perMs, onStoreError } = options;
  const store = createRedisStore(client, { name, requests, perMs });
  return createSharedRateLimit({ store, requests, perMs, onStoreError });
};
