import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { freePort } from './tcp.ts';

/** A real Redis on a loopback port, which a test may kill and start again. */
export interface RedisServer {
  readonly port: number;
  readonly url: string;
  start(): Promise<void>;
  /** Ends it as a crash would: it says goodbye to nobody. */
  kill(): Promise<void>;
}

/**
 * Starts `redis-server` for a program that kills it by itself.
 *
 * @param folder Where it keeps every write in an append-only file. Without it, nothing is written to disk.
 */
export const createRedisServer = async (folder?: string): Promise<RedisServer> => {
  const port = await freePort();
  const stored = folder === undefined ? ['no'] : ['yes', '--appendfsync', 'always', '--dir', folder];
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', ...stored];
  let child: ChildProcess | undefined;

  const start = async () => {
    const started = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] });
    child = started;
    // If it cannot be started, its output ends.
    started.on('error', () => {});
    for await (const line of createInterface(started.stdout)) {
      if (line.includes('Ready to accept connections')) {
        started.stdout.resume();
        return;
      }
    }
    child = undefined;
    throw new Error(
      'redis-server ended before it was ready. Is it installed? On Debian: apt-get install redis-server',
    );
  };
  const kill = async () => {
    if (child === undefined) {
      return;
    }
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    child = undefined;
    await exited;
  };

  await start();
  return { port, url: `redis://127.0.0.1:${port}`, start, kill };
};

/** Starts `redis-server`, which keeps nothing on disk, until the end of the test. */
export const startRedisServer = async (): Promise<RedisServer> => {
  const server = await createRedisServer();
  onTestFinished(server.kill);
  return server;
};
