import { fork } from 'node:child_process';
import { once } from 'node:events';

/** A program in a process of its own, which replies to each question with one message. */
export interface Child<Reply> {
  /** The first message that it sent. */
  readonly greeting: Reply;
  /** Asks for a reply. Wait for it before the next question. */
  ask(...question: readonly string[]): Promise<Reply>;
  stop(): void;
}

/**
 * Starts a TypeScript program in a process of its own, and waits for its first message.
 *
 * @param nodeFlags Flags of Node, besides the one that resolves packages to their source.
 * @throws An {@link Error} when the process ends instead of replying, now or after a question.
 */
export const startChild = async <Reply>(
  program: URL,
  args: readonly string[] = [],
  nodeFlags: readonly string[] = [],
): Promise<Child<Reply>> => {
  const child = fork(program, args, { execArgv: ['--conditions=@confab/source', ...nodeFlags] });
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`The process of ${program.pathname.split('/').at(-1)} ended with ${signal ?? code}.`);
  });
  ended.catch(() => {});
  const next = async (): Promise<Reply> => {
    const [reply] = (await Promise.race([once(child, 'message'), ended])) as [Reply];
    return reply;
  };
  return {
    greeting: await next(),
    async ask(...question) {
      const reply = next();
      child.send(question);
      return reply;
    },
    stop: () => void child.kill('SIGKILL'),
  };
};
