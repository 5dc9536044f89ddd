import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';

/** A Redis that stops when the scope that uses it ends. */
export interface RunningRedis extends AsyncDisposable {
  readonly url: string;
}

/** Returns the path of `redis-server`, or `undefined` if it is not installed. */
export const redisServerPath = (): string | undefined =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'redis-server'))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || address === null) {
    throw new Error('The system did not assign a port.');
  }
  return address.port;
};

/** Starts `redis-server` on a free loopback port. It writes nothing to disk. */
export const startRedis = async (path: string): Promise<RunningRedis> => {
  const port = await freePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const child = spawn(path, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  let ready = false;
  for await (const line of createInterface(child.stdout)) {
    ready = line.includes('Ready to accept connections');
    if (ready) {
      break;
    }
  }
  if (!ready) {
    throw new Error(`${path} exited before it was ready.`);
  }
  child.stdout.resume();
  return {
    url: `redis://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await exited;
    },
  };
};
