import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

const SOURCE = join(import.meta.dirname, '../../src');

/** Lines that a program begins with: what of this package it uses. */
const IMPORTS = `
const { createMock } = await import('${SOURCE}/index.ts');
const { serve } = await import('${SOURCE}/server/index.ts');
`;

/** How a program ended: `code` is null for one that had to be killed. */
interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly ms: number;
}

/**
 * Runs a program in a process of its own, which is killed after a minute: for what could otherwise spin or wait for ever.
 *
 * @param before What the program does before it loads this package.
 * @param flags Flags of Node.
 */
export const runProgram = (program: string, before = '', flags: readonly string[] = []): Promise<Ended> =>
  new Promise((resolve) => {
    const began = performance.now();
    const child = spawn(
      process.execPath,
      [...flags, '--conditions=@confab/source', '--input-type=module', '-e', before + IMPORTS + program],
      { stdio: ['ignore', 'pipe', 'pipe'], timeout: 60_000, killSignal: 'SIGKILL' },
    );
    onTestFinished(() => void child.kill('SIGKILL'));
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
      });
    }
    child.on('close', (code) => resolve({ code, output, ms: performance.now() - began }));
  });
