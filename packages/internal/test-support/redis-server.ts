import { onTestFinished } from 'vitest';
import type { ServerProcess } from './server-process.ts';
import { createProcess } from './server-process.ts';
import { freePort } from './tcp.ts';

/** A real Redis on a loopback port, which a test may kill and start again. */
export type RedisServer = ServerProcess;

/**
 * Starts `redis-server` for a program that kills it by itself.
 *
 * @param folder The folder in which Redis keeps every write, in an append-only file. By default, it writes nothing to disk.
 */
export const createRedisServer = async (folder?: string): Promise<RedisServer> => {
  const port = await freePort();
  const stored = folder === undefined ? ['no'] : ['yes', '--appendfsync', 'always', '--dir', folder];
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', ...stored];
  const process = createProcess('redis-server', args, {
    ready: 'Ready to accept connections',
    killSignal: 'SIGKILL',
  });
  await process.start();
  return { port, url: `redis://127.0.0.1:${port}`, ...process };
};

/** Starts `redis-server`, which keeps nothing on disk, until the end of the test. */
export const startRedisServer = async (): Promise<RedisServer> => {
  const server = await createRedisServer();
  onTestFinished(server.kill);
  return server;
};
