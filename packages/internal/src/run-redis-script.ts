/** The part in use of a client of the package `redis` or `ioredis`. */
type RedisClient =
  | { eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown> }
  | { call(command: string, ...args: (string | number)[]): Promise<unknown> };

/** Whether a value is a client of either package. Others have an `eval`, too, but with other arguments. */
export const isRedisClient = (value: unknown): boolean => {
  const { call, eval: run, sendCommand } = Object(value);
  return typeof call === 'function' || (typeof run === 'function' && typeof sendCommand === 'function');
};

/** Runs a Lua script on a client of either package. ioredis has an `eval` as well, with other arguments. */
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
