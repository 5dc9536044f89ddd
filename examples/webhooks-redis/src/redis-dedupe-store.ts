import type { ClaimState, DedupeStore } from '@confab/webhooks';

/**
 * The used method of the `redis` client. For ioredis, pass
 * `{ sendCommand: ([name, ...args]) => redis.call(name, ...args) }`.
 */
export interface RedisCommands {
  sendCommand(args: string[]): Promise<unknown>;
}

const COMPLETED = 'completed';
const RUNNING = 'running:';

// One script, because between two commands the claim could expire and another receiver could claim the key.
const RELEASE = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0`;

/** Creates a store that remembers deliveries in Redis, for receivers in several processes. */
export const createRedisDedupeStore = (redis: RedisCommands, prefix = 'webhook:'): DedupeStore => ({
  async claim(key, { token, leaseMs }): Promise<ClaimState> {
    const value = RUNNING + token;
    const taken = await redis.sendCommand(['SET', prefix + key, value, 'NX', 'PX', String(leaseMs)]);
    if (taken !== null) {
      return 'claimed';
    }
    // If the claim has expired in the meantime, "running" makes the sender retry, and the key is free then.
    return (await redis.sendCommand(['GET', prefix + key])) === COMPLETED ? 'completed' : 'running';
  },
  async complete(key, { ttlMs }) {
    await redis.sendCommand(['SET', prefix + key, COMPLETED, 'PX', String(ttlMs)]);
  },
  async release(key, { token }) {
    await redis.sendCommand(['EVAL', RELEASE, '1', prefix + key, RUNNING + token]);
  },
});
