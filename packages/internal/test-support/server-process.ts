import type { ChildProcessByStdio, SpawnOptions } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** A server of its own process on a loopback port, which a test may kill and start again. */
export interface ServerProcess {
  readonly port: number;
  readonly url: string;
  /** Resolves when the server is ready. */
  start(): Promise<void>;
  /** Ends it as a crash would: it says goodbye to nobody. */
  kill(): Promise<void>;
}

interface ProcessOptions extends SpawnOptions {
  /** What a line of its output contains when it is ready. */
  readonly ready: string;
  readonly endWith: NodeJS.Signals;
}

/** Returns the functions that start and kill a server. */
export const createProcess = (
  command: string,
  args: readonly string[],
  { ready, endWith, ...options }: ProcessOptions,
): Pick<ServerProcess, 'start' | 'kill'> => {
  let child: ChildProcessByStdio<null, Readable, null> | undefined;
  return {
    async start() {
      const started = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
      child = started;
      // If it cannot be started, its output ends.
      started.on('error', () => {});
      for await (const line of createInterface(started.stdout)) {
        if (line.includes(ready)) {
          started.stdout.resume();
          return;
        }
      }
      child = undefined;
      throw new Error(`${command} ended before it was ready. Is it installed? See CONTRIBUTING.md.`);
    },
    async kill() {
      const exited = child && once(child, 'exit');
      child?.kill(endWith);
      child = undefined;
      await exited;
    },
  };
};
