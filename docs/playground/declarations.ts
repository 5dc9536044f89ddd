import { join, relative } from 'node:path';
import ts from 'typescript';
import { declareTypes } from '../../packages/client/scripts/declare-types.ts';
import { ROOT } from '../.vitepress/content/repository.ts';

const ENTRIES = [
  'packages/client/src/index.ts',
  'packages/client/src/contract/index.ts',
  'packages/webhooks/src/index.ts',
  'packages/mock/src/index.ts',
];

/** Stubs of the modules that the declarations import, with what programs of the playground need. */
const OTHERS: Readonly<Record<string, string>> = {
  'zod/mini/index.d.ts':
    'declare const z: any;\ndeclare namespace z { type ZodMiniType = any; }\nexport { z };\n',
  'msw/http/index.d.ts': 'export type HttpHandler = object;\n',
};

const addressOf = (path: string): string => `file:///node_modules/${path}`;

/** Emits the declarations of the packages from their sources, for the TypeScript of the editor. */
export const emitDeclarations = (): { filePath: string; content: string }[] => {
  const program = ts.createProgram({
    rootNames: ENTRIES.map((path) => join(ROOT, path)),
    options: {
      target: ts.ScriptTarget.ES2023,
      lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'],
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      customConditions: ['@confab/source'],
      types: ['node'],
      typeRoots: [join(ROOT, 'node_modules/@types')],
      strict: true,
      exactOptionalPropertyTypes: true,
      verbatimModuleSyntax: true,
      skipLibCheck: true,
      declaration: true,
      emitDeclarationOnly: true,
      rewriteRelativeImportExtensions: true,
      rootDir: join(ROOT, 'packages'),
      outDir: join(ROOT, 'packages'),
    },
  });
  const files = Object.entries(OTHERS).map(([path, content]) => ({ filePath: addressOf(path), content }));
  program.emit(undefined, (path, content) => {
    const place = relative(join(ROOT, 'packages'), path).replace('/src/', '/');
    const isInferred = place === 'client/contract/types.d.ts';
    files.push({ filePath: addressOf(`@confab/${place}`), content: isInferred ? declareTypes() : content });
  });
  return files;
};
