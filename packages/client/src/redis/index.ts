export type { RedisRateLimitOptions } from './redis-rate-limit.ts';
export { redisRateLimit } from './redis-rate-limit.ts';
export type { IoRedisClient, NodeRedisClient } from './run-script.ts';
