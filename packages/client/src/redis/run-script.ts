/** The method in use of a client of the package `redis`, for one node or a cluster. */
export interface NodeRedisClient {
  /** Runs a Lua script. */
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
}

/** The method in use of a client of the package `ioredis`, for one node or a cluster. */
export interface IoRedisClient {
  /** Sends any command. */
  call(command: string, ...args: (string | number)[]): Promise<unknown>;
}

/** Runs a Lua script on either client. */
export const runScript = (
  client: NodeRedisClient | IoRedisClient,
  script: string,
  keys: readonly string[],
  args: readonly (string | number)[],
): Promise<unknown> => {
  const texts = args.map(String);
  return 'call' in client && typeof client.call === 'function'
    ? client.call('EVAL', script, keys.length, ...keys, ...texts)
    : (client as NodeRedisClient).eval(script, { keys: [...keys], arguments: texts });
};
