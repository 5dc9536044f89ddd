import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { emitDeclarations } from '../playground/declarations.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'confab-declarations-'));
  for (const { filePath, content } of emitDeclarations()) {
    const path = join(folder, filePath.replace('file:///', ''));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  cpSync(join(import.meta.dirname, '../playground/examples'), folder, { recursive: true });
  writeFileSync(
    join(folder, 'wrong.ts'),
    "import { createClient } from '@confab/client';\nawait createClient().leads.create({ phone: 1 });\n",
  );
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true }));

/** The errors of files that have nothing but the declarations of the playground, by the options of its editor. */
const check = (names: readonly string[], skipLibCheck: boolean) => {
  const program = ts.createProgram({
    rootNames: names.map((name) => join(folder, name)),
    options: {
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noEmit: true,
      types: [],
      skipLibCheck,
    },
  });
  return {
    files: program.getSourceFiles().map(({ fileName }) => relative(folder, fileName)),
    errors: ts
      .getPreEmitDiagnostics(program)
      .map(({ code, messageText }) => ({ code, text: ts.flattenDiagnosticMessageText(messageText, ' ') })),
  };
};

const find = (pattern: string): string[] => globSync(pattern, { cwd: folder });

test('no example has an error', () => {
  const examples = find('*-*.ts');
  expect(examples).toHaveLength(6);
  expect(check(examples, true).errors).toEqual([]);
});

test('an error against the types of the packages is found', () => {
  expect(check(['wrong.ts'], true).errors.map(({ text }) => text)).toEqual([
    "Type 'number' is not assignable to type 'string'.",
  ]);
});

const CANNOT_FIND_MODULE = 2307;

test('the declarations find every module that they import, and no module is there without need', () => {
  const { files, errors } = check(find('node_modules/@confab/**/*.d.ts'), false);
  expect(errors.filter(({ code }) => code === CANNOT_FIND_MODULE)).toEqual([]);
  expect(find('node_modules/**/*.d.ts').filter((path) => !files.includes(path))).toEqual([]);
});
