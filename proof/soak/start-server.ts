import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Figures } from './figures.ts';
import type { Leak } from './options.ts';
import type { Question } from './server.ts';

/** The server under test, in a process of its own. */
export interface SoakServer {
  readonly url: string;
  /** Lets the process measure itself. */
  measure(collectGarbage: boolean): Promise<Figures>;
  stop(): void;
}

/**
 * Starts the server, from the source.
 *
 * @param worldTtlMs Milliseconds after which the server deletes a world that the load has abandoned.
 * @throws Error When its process ends instead of responding.
 */
export const startServer = async (worldTtlMs: number, leak: Leak | undefined): Promise<SoakServer> => {
  const child = fork(
    fileURLToPath(new URL('server.ts', import.meta.url)),
    [String(worldTtlMs), ...(leak === undefined ? [] : [leak])],
    {
      execArgv: ['--conditions=@confab/source', '--expose-gc'],
    },
  );
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`The server ended with ${signal ?? code}.`);
  });
  ended.catch(() => {});
  const reply = async (): Promise<unknown> => {
    const [message] = await Promise.race([once(child, 'message'), ended]);
    return message;
  };
  const { url } = (await reply()) as { readonly url: string };
  return {
    url,
    async measure(collectGarbage) {
      const question: Question = { collectGarbage };
      const figures = reply();
      child.send(question);
      return (await figures) as Figures;
    },
    stop: () => void child.kill('SIGKILL'),
  };
};
