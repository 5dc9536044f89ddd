import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A process of a fleet. */
interface Member {
  readonly child: ChildProcess;
  /** Resolves to what the process reports when it is ready; rejects if it ends before that. */
  readonly ready: Promise<number>;
}

/** Processes that run the same program, and are replaced when they end. */
export interface Fleet {
  /** Resolves once all processes are ready, to what the last of them reported. */
  ready(): Promise<number>;
  /** Kills a process that is ready with SIGKILL and starts another. Resolves to the dead one's id. */
  killOne(index: number): Promise<number>;
  /** Ends all with SIGTERM. Resolves to their exit codes. */
  stop(): Promise<(number | string | null)[]>;
}

/** Settings of {@link startFleet}. */
export interface FleetSettings {
  readonly program: 'receiver' | 'worker';
  readonly size: number;
  /** For what the processes print, and for compiled code, because most of the time goes into starting them. */
  readonly folder: string;
  /** The argument of the program; called for each process. */
  readonly argument: () => object;
  /** Called when a process ends by itself, before it is replaced. */
  readonly onExit: (reason: string) => void;
}

/** Starts processes, and supervises them as a platform does. */
export const startFleet = ({ program, size, folder, argument, onExit }: FleetSettings): Fleet => {
  const path = fileURLToPath(new URL(`./${program}.ts`, import.meta.url));
  // They complain about lost connections and failed handlers, as expected.
  const output = openSync(join(folder, `${program}.log`), 'a');
  let stopping = false;

  const start = (index: number): Member => {
    const child = fork(path, [JSON.stringify(argument())], {
      env: { ...process.env, NODE_COMPILE_CACHE: join(folder, 'cache') },
      stdio: ['ignore', output, output, 'ipc'],
    });
    const ended = once(child, 'exit').then(() => {
      throw new Error(`A ${program} ended before it was ready.`);
    });
    const ready = Promise.race([once(child, 'message').then(([report]) => report as number), ended]);
    ready.catch(() => {});
    ended.catch(() => {});
    child.once('exit', (code, signal) => {
      if (!stopping && signal !== 'SIGKILL') {
        onExit(`A ${program} ended by itself with ${signal ?? code}.`);
        members[index] = start(index);
      }
    });
    return { child, ready };
  };
  const members = Array.from({ length: size }, (_, index) => start(index));
  process.once('exit', () => {
    for (const { child } of members) {
      child.kill('SIGKILL');
    }
  });

  const readyMember = async (index: number): Promise<Member> => {
    for (;;) {
      const member = members[index];
      if (member === undefined) {
        throw new RangeError(`There is no ${program} ${index}.`);
      }
      if (
        await member.ready.then(
          () => true,
          () => false,
        )
      ) {
        return member;
      }
    }
  };

  return {
    async ready() {
      const reports = await Promise.all(members.map(async (_, index) => (await readyMember(index)).ready));
      return reports.at(-1) ?? 0;
    },
    async killOne(index) {
      const { child } = await readyMember(index);
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
      members[index] = start(index);
      return child.pid ?? 0;
    },
    async stop() {
      stopping = true;
      return Promise.all(
        members.map(async ({ child }) => {
          const exited = once(child, 'exit');
          child.kill('SIGTERM');
          const [code, signal] = await exited;
          return signal ?? code;
        }),
      );
    },
  };
};
