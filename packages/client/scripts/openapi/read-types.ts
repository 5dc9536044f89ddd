import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const pathOf = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

const { config } = ts.readConfigFile(pathOf('../../../../tsconfig.base.json'), ts.sys.readFile);
const files = ['types.ts', 'operations.ts'].map((name) => pathOf(`../../src/contract/${name}`));
const program = ts.createProgram(
  files,
  ts.convertCompilerOptionsFromJson(config.compilerOptions, '.').options,
);

/** The compiler's view of the contract. */
export const checker = program.getTypeChecker();

/** The exports of `types.ts` and `operations.ts`. */
export const exported: readonly ts.Symbol[] = files.flatMap((file) => {
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  return module === undefined ? [] : checker.getExportsOfModule(module);
});

/** The paragraphs of a doc comment, without line breaks. */
export const docOf = (symbol: ts.Symbol): string[] =>
  ts
    .displayPartsToString(symbol.getDocumentationComment(checker))
    .split('\n\n')
    .map((paragraph) => paragraph.replaceAll(/\s+/g, ' ').trim());
