/** What is used of a client of the package `redis`, for one node or a cluster. */
export interface NodeRedisClient {
  /** Runs a Lua script. */
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  /** Never called: it tells the package from clients whose `eval` has other arguments. */
  sendCommand(...args: never[]): Promise<unknown>;
}

/** The method in use of a client of the package `ioredis`, for one node or a cluster. */
export interface IoRedisClient {
  /** Sends any command. */
  call(command: string, ...args: (string | number)[]): Promise<unknown>;
}
