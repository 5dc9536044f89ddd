import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import type { ChildArgument } from './child.ts';

/** A process that is replaced when it ends. */
export interface Supervised {
  /** Resolves once it is ready, to its port. */
  ready(): Promise<number>;
  /** Kills it with SIGKILL once it is ready, and starts another. Resolves to the dead one's pid. */
  kill(): Promise<number>;
  /** Ends it with SIGTERM. Resolves to its exit code or the signal. */
  stop(): Promise<number | string | null>;
}

/** A program that cannot start must not be started forever. */
const MAX_EXITS = 20;

/**
 * Starts a process, and another whenever it ends.
 *
 * @param onExit Called when it ends by itself.
 */
export const supervise = (argument: ChildArgument, onExit: (reason: string) => void): Supervised => {
  // The processes complain about lost connections and failed handlers, as expected.
  const output = openSync(join(argument.folder, `${argument.role}.log`), 'a');
  let { port } = argument;
  let exits = 0;
  let stopping = false;

  const start = (): { child: ChildProcess; ready: Promise<boolean> } => {
    const child = fork(join(import.meta.dirname, 'child.ts'), [JSON.stringify({ ...argument, port })], {
      stdio: ['ignore', output, output, 'ipc'],
    });
    const ready = Promise.race([
      once(child, 'message').then(([reported]) => {
        // A successor listens where the first receiver found a free port.
        port = reported as number;
        return true;
      }),
      once(child, 'exit').then(() => false),
    ]);
    child.once('exit', (code, signal) => {
      if (!stopping && signal !== 'SIGKILL') {
        onExit(`A ${argument.role} ended by itself with ${signal ?? code}.`);
        exits += 1;
        if (exits > MAX_EXITS) {
          throw new Error(`A ${argument.role} keeps ending. See ${argument.folder}.`);
        }
        current = start();
      }
    });
    return { child, ready };
  };
  let current = start();
  process.once('exit', () => current.child.kill('SIGKILL'));

  const readyChild = async (): Promise<ChildProcess> => {
    while (!(await current.ready)) {}
    return current.child;
  };
  return {
    async ready() {
      await readyChild();
      return port;
    },
    async kill() {
      const child = await readyChild();
      child.kill('SIGKILL');
      await once(child, 'exit');
      current = start();
      return child.pid ?? 0;
    },
    async stop() {
      stopping = true;
      current.child.kill('SIGTERM');
      const [code, signal] = await once(current.child, 'exit');
      return signal ?? code;
    },
  };
};
