/** The methods of @upstash/redis, which speaks HTTP. Our packages refuse such a client before they call any of them. */
export const restRedisClient = {
  eval: async (_script: string, _keys: string[], _args: unknown[]): Promise<unknown> => undefined,
  evalsha: async (_hash: string, _keys: string[], _args: unknown[]): Promise<unknown> => undefined,
  scriptLoad: async (): Promise<string> => '',
  pipeline: (): object => ({}),
  exec: async (): Promise<unknown[]> => [],
};
