import type { ClaimState, DedupeStore } from '@confab/webhooks';

/** The one method in use of the `redis` client. With ioredis: `{ sendCommand: ([name, ...args]) => redis.call(name, ...args) }`. */
export interface RedisCommands {
  sendCommand(args: string[]): Promise<unknown>;
}

const COMPLETED = 'completed';
const RUNNING = 'running:';

// In one script, so that a claim which ended between the reading and the deleting is not deleted.
const RELEASE = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0`;

/** Remembers deliveries in Redis, for receivers in several processes. */
export const createRedisDedupeStore = (redis: RedisCommands, prefix = 'webhook:'): DedupeStore => ({
  async claim(key, { token, leaseMs }): Promise<ClaimState> {
    const value = RUNNING + token;
    const taken = await redis.sendCommand(['SET', prefix + key, value, 'NX', 'PX', String(leaseMs)]);
    if (taken !== null) {
      return 'claimed';
    }
    // If it has ended since, "running" makes the sender come again, and finds it free.
    return (await redis.sendCommand(['GET', prefix + key])) === COMPLETED ? 'completed' : 'running';
  },
  async complete(key, { ttlMs }) {
    await redis.sendCommand(['SET', prefix + key, COMPLETED, 'PX', String(ttlMs)]);
  },
  async release(key, { token }) {
    await redis.sendCommand(['EVAL', RELEASE, '1', prefix + key, RUNNING + token]);
  },
});
