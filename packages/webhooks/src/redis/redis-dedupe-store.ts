import { isRedisClient, runRedisScript, watchRedisErrors } from '@confab/internal';
import type { ClaimState, DedupeStore } from '../dedupe/dedupe-store.ts';
import { NOT_RUN, WebhookError } from '../errors.ts';
import { checkOptions, isText } from '../option-checks.ts';
import { withTimeLimit } from '../run-in-time.ts';
import { CLAIM, COMPLETE, RELEASE } from './claim-scripts.ts';

/** The methods that the store needs of a client of the package `redis`, for one node or a cluster. */
export interface NodeRedisClient {
  /** Runs a Lua script. */
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  /** Never called. Its presence tells this client from others whose `eval` takes different arguments. */
  sendCommand(...args: never[]): Promise<unknown>;
}

/** The method that the store needs of a client of the package `ioredis`, for one node or a cluster. */
export interface IoRedisClient {
  /** Sends any command. */
  call(command: string, ...args: (string | number)[]): Promise<unknown>;
}

/** Options of {@link redisDedupeStore}. */
export interface RedisDedupeStoreOptions {
  /** A connected client of the package `redis` or `ioredis`, for one node or a cluster. */
  client: NodeRedisClient | IoRedisClient;
  /**
   * The beginning of every key in Redis. Receivers with the same prefix share their deliveries, so use one prefix for each
   * sender.
   * @default 'confab:webhook:'
   */
  prefix?: string | undefined;
}

/** Less than the 5 seconds that a receiver waits for any store, so that the error can say why Redis did not reply. */
const REDIS_LIMIT_MS = 4_500;

/**
 * Builds the error for a claim that got no reply in time.
 *
 * @param cause The last error of the connection, if it has failed.
 */
const noResponseError = (cause: unknown): WebhookError => {
  // If a name such as `localhost` has several addresses, the error of the connection has no message.
  const { message, code } = Object(cause);
  const reason = message || code;
  const text = `Redis did not respond within ${REDIS_LIMIT_MS / 1000} s${reason ? `: ${reason}` : ''}. ${NOT_RUN}`;
  return new WebhookError('RECEIVER_FAILED', text, { cause });
};

/**
 * Creates a store that remembers deliveries in Redis, for receivers and workers in several processes. Each step is one
 * Lua script. Leases and the time for which a delivery is remembered follow the clock of Redis.
 *
 * While Redis cannot be reached, deliveries are refused with 500 after 4.5 seconds, so the sender delivers them again. The
 * error that `onError` receives names the last error of the connection, which is also its `cause`. A lost connection does
 * not end the process: the store listens to the client's `error` event. If the connection is lost while a handler runs,
 * the client records the end of the run as soon as it is connected again. Set `leaseSeconds` longer than the slowest
 * handler and such an outage together, or the delivery may run again. Redis must not evict keys (`maxmemory-policy
 * noeviction`), or a redelivery may run again.
 *
 * @throws A {@link WebhookConfigurationError} when an option is missing or invalid.
 *
 * @example
 * ```ts
 * import { createWebhooks } from '@confab/webhooks';
 * import { redisDedupeStore } from '@confab/webhooks/redis';
 * import { createClient } from 'redis';
 *
 * const client = await createClient({ url: 'redis://localhost:6379' }).connect();
 * const webhooks = createWebhooks({
 *   secret,
 *   signature,
 *   dedupe: {
 *     key: ({ headers }) => headers.get('x-delivery-id') ?? undefined,
 *     store: redisDedupeStore({ client }),
 *   },
 * });
 * ```
 */
export const redisDedupeStore = (options: RedisDedupeStoreOptions): DedupeStore => {
  checkOptions('redisDedupeStore option', options, { client: isRedisClient, prefix: isText }, ['client']);
  const { client, prefix = 'confab:webhook:' } = options;
  // Without a listener for errors, a lost connection of node-redis would end the process.
  const errors = watchRedisErrors(client);
  const run = (script: string, key: string, ...args: (string | number)[]) =>
    runRedisScript(client, script, [prefix + key], args);
  return {
    async claim(key, { token, leaseMs }) {
      // The client still sends the claim once it is connected again. Nobody waits for that one, so it is released.
      const state = await withTimeLimit(
        REDIS_LIMIT_MS,
        run(CLAIM, key, token, leaseMs),
        () => noResponseError(errors.last),
        (late) => late === 'claimed' && run(RELEASE, key, token),
      );
      errors.last = undefined;
      return state as ClaimState;
    },
    complete: async (key, { ttlMs }) => {
      await run(COMPLETE, key, ttlMs);
    },
    release: async (key, { token }) => {
      await run(RELEASE, key, token);
    },
  };
};
