export { eventually } from './eventually.ts';
export { bytesInUse, collectGarbage } from './garbage.ts';
export { listen } from './listen.ts';
export type { RedisServer } from './redis-server.ts';
export { createRedisServer, startRedisServer } from './redis-server.ts';
export { restRedisClient } from './rest-redis-client.ts';
export { runProgram } from './run-program.ts';
export { freePort, listenTcp } from './tcp.ts';
export { turns } from './turns.ts';
