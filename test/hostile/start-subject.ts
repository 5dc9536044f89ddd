import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Subject } from './child.ts';

/** Starts a process under test, so that its memory is not this one's. */
export const startSubject = async (name: string): Promise<Subject & { stop(): void }> => {
  const child = fork(join(import.meta.dirname, 'child.ts'), [name], {
    // A small young generation: what is measured is what a case keeps, not the room that V8 takes for garbage.
    execArgv: ['--conditions=@confab/source', '--expose-gc', '--max-semi-space-size=2'],
  });
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`The process of ${name} ended with ${signal ?? code}.`);
  });
  ended.catch(() => {});
  const reply = async <T>(): Promise<T> => {
    const [{ result }] = (await Promise.race([once(child, 'message'), ended])) as [{ result: T }];
    return result;
  };
  const ask = <T>(method: keyof Subject, ...args: string[]): Promise<T> => {
    child.send({ method, args });
    return reply<T>();
  };
  return {
    port: await reply<number>(),
    begin: () => ask('begin'),
    end: () => ask('end'),
    key: () => ask('key'),
    call: (baseUrl) => ask('call', baseUrl),
    stop: () => child.kill('SIGKILL'),
  };
};
