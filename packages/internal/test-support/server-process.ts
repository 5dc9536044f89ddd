import type { ChildProcessByStdio, SpawnOptions } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** A server in a process of its own, on a loopback port, which a test may kill and start again. */
export interface ServerProcess {
  readonly port: number;
  readonly url: string;
  /** Resolves when the server is ready. */
  start(): Promise<void>;
  /** Ends the server as a crash would, without closing its connections first. */
  kill(): Promise<void>;
}

interface ProcessOptions extends SpawnOptions {
  /** Text in the line of its output that says that it is ready. */
  readonly ready: string;
  readonly killSignal: NodeJS.Signals;
}

/** Returns the functions that start and kill a server. */
export const createProcess = (
  command: string,
  args: readonly string[],
  { ready, killSignal, ...options }: ProcessOptions,
): Pick<ServerProcess, 'start' | 'kill'> => {
  let child: ChildProcessByStdio<null, Readable, null> | undefined;
  return {
    async start() {
      const started = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
      child = started;
      // If the program cannot be started, its output ends, and so does the loop below.
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
      child?.kill(killSignal);
      child = undefined;
      await exited;
    },
  };
};
