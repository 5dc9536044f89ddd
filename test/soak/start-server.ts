import { startChild } from '../child/start-child.ts';
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
  const { greeting, ask, stop } = await startChild<{ readonly url: string }, Figures>(
    new URL('server.ts', import.meta.url),
    [String(worldTtlMs), ...(leak === undefined ? [] : [leak])],
    ['--expose-gc'],
  );
  return { ...greeting, measure: (collectGarbage) => ask({ collectGarbage } satisfies Question), stop };
};
