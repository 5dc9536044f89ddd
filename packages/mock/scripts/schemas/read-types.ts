import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const pathOf = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

const files = ['control/endpoint-types.ts', 'world/store/store.ts', 'world/faults/fault.ts'].map((name) =>
  pathOf(`../../src/${name}`),
);
const { config } = ts.readConfigFile(pathOf('../../../../tsconfig.base.json'), ts.sys.readFile);
const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, '.');
const program = ts.createProgram(files, options);

/** The compiler's view of the control operations and of rows, and of everything that they refer to. */
export const checker = program.getTypeChecker();

/** A type that one of the files declares. */
export const typeNamed = (name: string): ts.Type => {
  const symbol = files
    .flatMap((file) => {
      const source = program.getSourceFile(file);
      return source === undefined ? [] : checker.getSymbolsInScope(source, ts.SymbolFlags.Type);
    })
    .find((each) => each.name === name);
  if (symbol === undefined) {
    throw new Error(`No file declares the type ${name}.`);
  }
  return checker.getDeclaredTypeOfSymbol(checker.getExportSymbolOfSymbol(symbol));
};

const textOf = (parts: ts.SymbolDisplayPart[] | undefined): string =>
  ts.displayPartsToString(parts).replaceAll(/\{@link (\S+?) ?\}/g, '`$1`');

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** The paragraphs of a doc comment. */
export const docOf = (symbol: ts.Symbol): string[] =>
  textOf(symbol.getDocumentationComment(checker)).split('\n\n').map(oneLine);

/** The texts of a tag of a doc comment. */
export const tagsOf = (symbol: ts.Symbol, name: string): string[] =>
  symbol
    .getJsDocTags(checker)
    .filter((tag) => tag.name === name)
    .map(({ text }) => oneLine(textOf(text)));

/** The description of a type or a property, in the words of JSON; `undefined` if it has no doc comment. */
export const descriptionOf = (symbol: ts.Symbol | undefined): string | undefined => {
  if (symbol === undefined) {
    return undefined;
  }
  const defaults = tagsOf(symbol, 'default').map((value) => `Default: ${value}.`);
  const text = [...docOf(symbol), ...defaults].join(' ').trim();
  return text.replaceAll('`undefined`', 'absent').replaceAll('`Infinity`', '`null`') || undefined;
};
