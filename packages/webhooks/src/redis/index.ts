/**
 * Lets several receivers or workers share `dedupe` through Redis.
 *
 * @packageDocumentation
 */

export type { IoRedisClient, NodeRedisClient, RedisDedupeStoreOptions } from './redis-dedupe-store.ts';
export { redisDedupeStore } from './redis-dedupe-store.ts';
