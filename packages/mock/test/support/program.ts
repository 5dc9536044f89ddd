import { join } from 'node:path';
import { runProcess } from '@confab/internal/test-support';

const SOURCE = join(import.meta.dirname, '../../src');

/** The first lines of a program: imports of this package. */
const IMPORTS = `
const { createMock } = await import('${SOURCE}/index.ts');
const { serve } = await import('${SOURCE}/server/index.ts');
`;

/**
 * Runs a program in a process of its own, which is killed after a minute: the program may spin or wait forever.
 *
 * @param before Code that runs before the program loads this package.
 * @param flags Flags of Node.
 */
export const runProgram = async (program: string, before = '', flags: readonly string[] = []) => {
  const began = performance.now();
  const args = ['--conditions=@confab/source', '--input-type=module', '-e', before + IMPORTS + program];
  const { code, lines, errors } = await runProcess(process.execPath, [...flags, ...args]);
  return { code, output: lines.join('\n') + errors, ms: performance.now() - began };
};
