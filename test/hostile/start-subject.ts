import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Usage } from './meter.ts';
import type { Question, Reply } from './subject.ts';

/** A process under test, seen from outside. */
export interface Subject {
  readonly port: number;
  begin(): Promise<void>;
  end(): Promise<Usage>;
  act(what: string, url: string): Promise<string>;
  stop(): void;
}

/** Starts `subjects/<name>.ts` in a process of its own, so that its memory is not this one's. */
export const startSubject = async (name: string): Promise<Subject> => {
  const child = fork(fileURLToPath(new URL(`./subjects/${name}.ts`, import.meta.url)), {
    // A small young generation: what is measured is what a case keeps, not the room that V8 takes for garbage.
    execArgv: ['--conditions=@confab/source', '--expose-gc', '--max-semi-space-size=2'],
  });
  const next = () =>
    new Promise<Reply>((resolve, reject) => {
      const ended = (code: number | null, signal: string | null) =>
        reject(new Error(`The process of ${name} ended with ${signal ?? code}.`));
      child.once('exit', ended);
      child.once('message', (reply: Reply) => {
        child.off('exit', ended);
        resolve(reply);
      });
    });
  const ask = (question: Question): Promise<Reply> => {
    const reply = next();
    child.send(question);
    return reply;
  };
  const first = await next();
  return {
    port: 'port' in first ? first.port : 0,
    async begin() {
      await ask({ kind: 'begin' });
    },
    async end() {
      const reply = await ask({ kind: 'end' });
      return 'usage' in reply ? reply.usage : { memory: Number.NaN, stall: Number.NaN, work: Number.NaN };
    },
    async act(what, url) {
      const reply = await ask({ kind: 'do', what, url });
      return 'outcome' in reply ? reply.outcome : '';
    },
    stop: () => child.kill('SIGKILL'),
  };
};
