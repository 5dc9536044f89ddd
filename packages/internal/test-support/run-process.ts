import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/**
 * Runs a program in a process of its own until it ends, and returns its exit code and its output.
 *
 * @param options The folder to run it in, its environment, and the milliseconds after which it is killed. By default, the
 * first two are those of this process, and the last is a minute.
 */
export const runProcess = async (
  command: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv; readonly timeout?: number } = {},
): Promise<{ readonly code: number | null; readonly lines: readonly string[]; readonly errors: string }> => {
  const child = spawn(command, args, { timeout: 60_000, ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code, lines: output.trim() === '' ? [] : output.trim().split('\n'), errors };
};
