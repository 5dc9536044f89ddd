import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { entryPoints } from '../../.vitepress/content/entry-points.ts';
import type { Block } from './blocks.ts';
import { fileNameOf, writeBlocks } from './blocks.ts';
import { createPrelude } from './prelude.ts';

/** Examples may leave names unused, which source files may not. */
const tsconfig = {
  extends: '../../../tsconfig.base.json',
  compilerOptions: { types: ['node'], noUnusedLocals: false, noUnusedParameters: false },
  include: ['*.ts'],
};

/**
 * Declares the names of the prelude and all exports of our packages as globals, because examples in docstrings do not import
 * them. A block that uses an export without importing it throws where it runs.
 */
const declareGlobals = async (): Promise<string> => {
  const lines = new Set(
    Object.keys(await createPrelude()).map(
      (name) => `const ${name}: import('../../test/support/prelude.ts').Prelude['${name}'];`,
    ),
  );
  for (const [specifier, source] of entryPoints) {
    // Their `test` and `expect` have the same names as those of the test runner.
    if (!/\/(?:vitest|playwright)$/.test(specifier)) {
      for (const name of Object.keys((await import(source)) as object)) {
        lines.add(`const ${name}: (typeof import('${specifier}'))['${name}'];`);
      }
    }
  }
  return `declare global {\n${[...lines].join('\n')}\n}\nexport {};\n`;
};

/**
 * Compiles blocks, as one program. Returns one line per error; `README.md-L12.ts(14,7)` is line 14 of README.md.
 *
 * Checks only the blocks, because `pnpm types` checks the source that they import.
 */
export const compile = async (blocks: readonly Block[]): Promise<string[]> => {
  const folder = writeBlocks('compiled', blocks);
  writeFileSync(join(folder, 'globals.ts'), await declareGlobals());
  const { fileNames, options, errors } = ts.parseJsonConfigFileContent(tsconfig, ts.sys, folder);
  const program = ts.createProgram(fileNames, options);
  const files = [...blocks.map(fileNameOf), 'globals.ts'].map((name) =>
    program.getSourceFile(join(folder, name)),
  );
  return [
    ...errors,
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...files.flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ]),
  ].map((diagnostic) =>
    ts
      .formatDiagnostic(diagnostic, ts.createCompilerHost(options))
      .replace(/^.*\.code-blocks\/compiled\//, '')
      .trim(),
  );
};
