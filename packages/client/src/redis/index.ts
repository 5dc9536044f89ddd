/**
 * Shares one rate limit between processes through Redis.
 *
 * @packageDocumentation
 */

export type { IoRedisClient, NodeRedisClient, RedisRateLimitOptions } from './redis-rate-limit.ts';
export { redisRateLimit } from './redis-rate-limit.ts';
