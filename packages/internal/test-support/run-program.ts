import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** Runs a program to its end, at most for a minute, and returns its exit code and what it wrote. */
export const runProgram = async (
  command: string,
  args: readonly string[],
): Promise<{ readonly code: number | null; readonly lines: readonly string[]; readonly errors: string }> => {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: 60_000 });
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code, lines: output.trim().split('\n'), errors };
};
