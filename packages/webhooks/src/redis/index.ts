/**
 * Lets several receivers or workers share `dedupe` through Redis.
 *
 * @packageDocumentation
 */

export type { IoRedisClient, NodeRedisClient } from './redis-client.ts';
export type { RedisDedupeStoreOptions } from './redis-dedupe-store.ts';
export { redisDedupeStore } from './redis-dedupe-store.ts';
