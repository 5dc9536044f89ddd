import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { CodeBlock } from './code-blocks.ts';
import { fileNameOf, moduleOf } from './code-blocks.ts';
import { ROOT } from './repository.ts';

const run = promisify(execFile);

/** Unused names are the only thing that an example may have and our source may not. */
const tsconfig = {
  extends: '../../../tsconfig.base.json',
  compilerOptions: { types: ['node'], noUnusedLocals: false, noUnusedParameters: false },
  include: ['*.ts', '../../test/support/prelude.d.ts'],
};

/**
 * Writes each block into a file of its own, beside the packages, so that their names resolve to their source.
 *
 * @param globals Declarations for all of them.
 */
export const writeBlocks = (name: string, blocks: readonly CodeBlock[], globals = ''): string => {
  const folder = join(ROOT, 'docs/.code-blocks', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
  writeFileSync(join(folder, 'globals.ts'), globals);
  for (const block of blocks) {
    writeFileSync(join(folder, fileNameOf(block)), moduleOf(block));
  }
  return folder;
};

/** Compiles what was written. Gives the errors, a line each; `README.md-L12.ts(14,7)` is line 14 of README.md. */
export const compile = async (folder: string): Promise<string[]> => {
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  try {
    await run(process.execPath, [tsc, '--pretty', 'false', '-p', 'tsconfig.json'], { cwd: folder });
    return [];
  } catch (error) {
    return (error as { stdout: string }).stdout.trim().split('\n');
  }
};

/** Runs a block as a program of its own. Gives what it printed, a line each. */
export const runBlock = async (folder: string, block: CodeBlock): Promise<string[]> => {
  const { stdout } = await run(process.execPath, ['--conditions=@confab/source', fileNameOf(block)], {
    cwd: folder,
    env: { PATH: process.env.PATH },
  });
  return stdout.split('\n').slice(0, -1);
};
