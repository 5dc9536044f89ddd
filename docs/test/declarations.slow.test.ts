import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { expect, onTestFinished, test } from 'vitest';
import { emitDeclarations } from '../playground/declarations.ts';

const WRONG =
  "import { createClient } from '@confab/client';\nawait createClient().leads.create({ phone: 1 });\n";
const CANNOT_FIND_MODULE = 2307;

// Only the declarations of the playground are there, and the options are those of its editor.
test('the declarations of the playground suffice for the examples, reveal errors, and are all needed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'confab-declarations-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const { filePath, content } of emitDeclarations()) {
    const path = join(folder, filePath.replace('file:///', ''));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  cpSync(join(import.meta.dirname, '../playground/examples'), folder, { recursive: true });
  writeFileSync(join(folder, 'wrong.ts'), WRONG);
  const find = (pattern: string): string[] => globSync(pattern, { cwd: folder });
  const programs = find('*.ts');
  expect(programs).toHaveLength(7);

  const program = ts.createProgram({
    rootNames: [...programs, ...find('node_modules/@confab/**/*.d.ts')].map((name) => join(folder, name)),
    options: {
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noEmit: true,
      types: [],
    },
  });
  const errors = program
    .getSemanticDiagnostics()
    .map(({ file, code, messageText }) => ({
      file: relative(folder, file?.fileName ?? ''),
      code,
      text: ts.flattenDiagnosticMessageText(messageText, ' '),
    }))
    .filter(({ file, code }) => code === CANNOT_FIND_MODULE || basename(file) === file);
  expect(errors.map(({ file, text }) => `${file}: ${text}`)).toEqual([
    "wrong.ts: Type 'number' is not assignable to type 'string'.",
  ]);
  const read = program.getSourceFiles().map(({ fileName }) => relative(folder, fileName));
  expect(find('node_modules/**/*.d.ts').filter((path) => !read.includes(path))).toEqual([]);
}, 60_000);
