import { onTestFinished, vi } from 'vitest';
import { run } from '../../src/cli/program.ts';

/** The secret in the environment of the commands. */
export const secret = 'a secret of the test';

/** Runs a command in this process, with standard input. */
export const commandWith = (input: string, ...args: string[]) => {
  const lines: string[] = [];
  const stop = Promise.withResolvers<void>();
  const printed = Promise.withResolvers<void>();
  const warn = vi.fn();
  const io = {
    env: { CONFAB_WEBHOOK_SECRET: secret },
    print(line: string) {
      lines.push(line);
      printed.resolve();
    },
    stdin: async () => new TextEncoder().encode(input),
    stopped: () => stop.promise,
  };
  return { lines, warn, printed: printed.promise, stop: stop.resolve, code: run(args, io, warn) };
};

/** Runs a command in this process. */
export const command = (...args: string[]) => commandWith('', ...args);

/** Starts `listen`, and resolves to its URL and the lines that it prints after its start. */
export const listening = async (...args: string[]) => {
  const { lines, printed, stop, code } = command('listen', '--port', '0', ...args);
  onTestFinished(async () => {
    stop();
    await code;
  });
  const started = /^listening on (.*)$/;
  await printed;
  return { url: started.exec(lines[0] ?? '')?.[1] ?? '', lines };
};
