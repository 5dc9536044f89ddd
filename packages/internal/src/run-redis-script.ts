import type { Check } from './option-problem.ts';
import { hasMethods } from './values.ts';

/** The methods used here of a client of the package `redis` or `ioredis`. */
type RedisClient =
  | { eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown> }
  | { call(command: string, ...args: (string | number)[]): Promise<unknown> };

/** Accepts a client of either package. Clients of other packages have an `eval` too, with different arguments. */
export const isRedisClient: Check = (name, value) =>
  hasMethods(value, 'call') || hasMethods(value, 'eval', 'sendCommand')
    ? undefined
    : `\`${name}\` must be a client of the package redis or ioredis. A REST client, such as @upstash/redis, is not supported.`;

/** Runs a Lua script on a client of either package. The `eval` of ioredis takes different arguments. */
export const runRedisScript = (
  client: RedisClient,
  script: string,
  keys: readonly string[],
  args: readonly (string | number)[],
): Promise<unknown> => {
  const texts = args.map(String);
  return 'call' in client
    ? client.call('EVAL', script, keys.length, ...keys, ...texts)
    : client.eval(script, { keys: [...keys], arguments: texts });
};
