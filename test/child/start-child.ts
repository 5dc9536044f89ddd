import { fork } from 'node:child_process';
import { once } from 'node:events';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A program in a process of its own, which replies to each message with one message. */
export interface Child<Reply> {
  /** Sends a message, and resolves with the reply. Wait for the reply before the next question. */
  ask(question: unknown): Promise<Reply>;
  stop(): void;
}

/**
 * Starts a TypeScript program, and waits for the first message that it sends.
 *
 * @param nodeFlags Flags of Node, besides the one that resolves packages to their source.
 * @throws Error When the process ends instead of sending a message, now or after a question.
 */
export const startChild = async <Greeting, Reply>(
  program: URL,
  args: readonly string[] = [],
  nodeFlags: readonly string[] = [],
): Promise<Child<Reply> & { readonly greeting: Greeting }> => {
  const path = fileURLToPath(program);
  const child = fork(path, args, { execArgv: ['--conditions=@confab/source', ...nodeFlags] });
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`The process of ${basename(path)} ended with ${signal ?? code}.`);
  });
  ended.catch(() => {});
  const next = async (): Promise<unknown> => {
    const [message] = await Promise.race([once(child, 'message'), ended]);
    return message;
  };
  return {
    greeting: (await next()) as Greeting,
    async ask(question) {
      const reply = next();
      child.send(question as object);
      return (await reply) as Reply;
    },
    stop: () => void child.kill('SIGKILL'),
  };
};
