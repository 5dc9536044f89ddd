import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

const FILE = join(import.meta.dirname, 'hovered.ts');
const SOURCE = `
import { createWebhooks } from '@confab/webhooks';
createWebhooks({ secret: '…', signature: { header: 'x' }, dedupe: { key: ({ headers }) => headers.get('x') ?? undefined } });
`;

test('an editor shows the text of dedupe.key, although the option also accepts an inbox', () => {
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    customConditions: ['@confab/source'],
    allowImportingTsExtensions: true,
    strict: true,
    noEmit: true,
    types: [],
  };
  const service = ts.createLanguageService({
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    directoryExists: ts.sys.directoryExists,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    getCurrentDirectory: () => import.meta.dirname,
    getCompilationSettings: () => options,
    getScriptFileNames: () => [FILE],
    getScriptVersion: () => '1',
    getScriptSnapshot: (path) => {
      const text = path === FILE ? SOURCE : ts.sys.readFile(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
  });
  const hover = service.getQuickInfoAtPosition(FILE, SOURCE.indexOf('key:'));
  expect(ts.displayPartsToString(hover?.documentation)).toMatch(
    /^Returns a key that all deliveries of one event/,
  );
});
