import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** Finds the declaration files that users of a package import, each with the name that they import. */
const entriesOf = (folder: string): (readonly [name: string, file: string])[] => {
  const { name, exports }: { name: string; exports: Record<string, { types?: string } | string> } =
    JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return Object.entries(exports).flatMap(([path, target]) =>
    typeof target === 'object' && target.types !== undefined
      ? [[name + path.slice(1), join(folder, target.types)] as const]
      : [],
  );
};

/** The exports that users can import from a built package. */
export interface Declarations {
  readonly checker: ts.TypeChecker;
  /** The exports of each entry point, resolved to where they are declared. */
  readonly entries: readonly (readonly [name: string, exports: ReadonlyMap<string, ts.Symbol>])[];
}

/** Resolves an export or import to what it stands for. */
export const originalOf = (checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol =>
  symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;

/** Reads the declarations of a package, with `dist` in its folder. */
export const readDeclarations = (folder: string): Declarations => {
  const entries = entriesOf(folder);
  const program = ts.createProgram(
    entries.map(([, file]) => file),
    {
      module: ts.ModuleKind.NodeNext,
      target: ts.ScriptTarget.ES2023,
      skipLibCheck: true,
      noEmit: true,
      types: [],
    },
  );
  const checker = program.getTypeChecker();
  return {
    checker,
    entries: entries.map(([name, file]) => {
      const source = program.getSourceFile(file);
      const module = source && checker.getSymbolAtLocation(source);
      const exported = module === undefined ? [] : checker.getExportsOfModule(module);
      return [name, new Map(exported.map((symbol) => [symbol.name, originalOf(checker, symbol)]))] as const;
    }),
  };
};
