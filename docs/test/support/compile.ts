import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import type { CodeBlock } from './code-blocks.ts';
import { fileNameOf, moduleOf } from './code-blocks.ts';
import { declarePrelude } from './prelude.ts';
import { ROOT } from './repository.ts';

const run = promisify(execFile);

/** Examples may leave names unused, which source files may not. */
const tsconfig = {
  extends: '../../../tsconfig.base.json',
  compilerOptions: { types: ['node'], noUnusedLocals: false, noUnusedParameters: false },
  include: ['*.ts'],
};

/**
 * Writes each block into a file of its own, next to the packages, where imports of them resolve to their source.
 *
 * @param globals Declarations that every block can use, in addition to those of the prelude.
 */
export const writeBlocks = async (
  name: string,
  blocks: readonly CodeBlock[],
  globals = '',
): Promise<string> => {
  const folder = join(ROOT, 'docs/.code-blocks', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
  writeFileSync(join(folder, 'globals.ts'), globals);
  writeFileSync(join(folder, 'prelude.ts'), await declarePrelude());
  for (const block of blocks) {
    writeFileSync(join(folder, fileNameOf(block)), moduleOf(block));
  }
  return folder;
};

/** Files that do not change between two compilations: parsed once, they serve both. */
const parsed = new Map<string, ts.SourceFile | undefined>();

const hostFor = (folder: string, options: ts.CompilerOptions): ts.CompilerHost => {
  const host = ts.createCompilerHost(options);
  return {
    ...host,
    getCurrentDirectory: () => folder,
    getSourceFile(path, ...rest) {
      if (!parsed.has(path) || path.startsWith(folder)) {
        parsed.set(path, host.getSourceFile(path, ...rest));
      }
      return parsed.get(path);
    },
  };
};

/**
 * Compiles the blocks in a folder. Returns one line per error; `README.md-L12.ts(14,7)` is line 14 of README.md.
 *
 * Checks only the blocks themselves: `pnpm types` checks the source that they import.
 */
export const compile = (folder: string): string[] => {
  const { fileNames, options, errors } = ts.parseJsonConfigFileContent(tsconfig, ts.sys, folder);
  const host = hostFor(folder, options);
  const program = ts.createProgram(fileNames, options, host);
  const diagnostics = fileNames
    .map((path) => program.getSourceFile(path))
    .flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]);
  return [
    ...errors,
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...diagnostics,
  ].map((diagnostic) => ts.formatDiagnostic(diagnostic, host).trim());
};

/** Runs a block as a program of its own. Returns the lines that it printed. */
export const runBlock = async (folder: string, block: CodeBlock): Promise<string[]> => {
  const { stdout } = await run(process.execPath, ['--conditions=@confab/source', fileNameOf(block)], {
    cwd: folder,
    env: { PATH: process.env.PATH },
  });
  return stdout.split('\n').slice(0, -1);
};
