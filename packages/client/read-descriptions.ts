import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { enumSchemas, objectSchemas } from './src/openapi/named-schemas.ts';

/** The words of an interface's doc comments. */
interface ObjectWords {
  readonly description: string;
  readonly fields: Readonly<Record<string, string>>;
}

const TYPES = join(import.meta.dirname, 'src/contract/types');
const EVENT_TYPES = join(import.meta.dirname, 'src/openapi/event-types.ts');

/**
 * Reads the doc comments of the types that the contract and the OpenAPI document describe.
 *
 * @throws {Error} When a type or a field has none.
 */
export const readDescriptions = () => {
  const files = [...readdirSync(TYPES).map((name) => join(TYPES, name)), EVENT_TYPES];
  const program = ts.createProgram(files, { noLib: true, allowImportingTsExtensions: true, noEmit: true });
  const checker = program.getTypeChecker();
  const symbols = new Map(
    files.flatMap((file) => {
      const source = program.getSourceFile(file);
      const module = source && checker.getSymbolAtLocation(source);
      return module === undefined
        ? []
        : checker.getExportsOfModule(module).map((symbol): [string, ts.Symbol] => [symbol.name, symbol]);
    }),
  );

  const wordsOf = (symbol: ts.Symbol | undefined, name: string): string => {
    const words = ts
      .displayPartsToString(symbol?.getDocumentationComment(checker))
      .replaceAll(/\s+/g, ' ')
      .trim();
    if (words === '') {
      throw new Error(`${name} has no doc comment.`);
    }
    return words;
  };

  const symbolOf = (name: string): ts.Symbol => {
    const symbol = symbols.get(name);
    if (symbol === undefined) {
      throw new Error(`${name}Schema has no type called ${name} in ${TYPES}.`);
    }
    return (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol);
  };

  const objects = [...objectSchemas.keys()].sort().map((name): [string, ObjectWords] => {
    const symbol = symbolOf(name);
    const fields = checker.getDeclaredTypeOfSymbol(symbol).getProperties();
    return [
      name,
      {
        description: wordsOf(symbol, name),
        fields: Object.fromEntries(
          fields.map((field) => [field.name, wordsOf(field, `${name}.${field.name}`)]),
        ),
      },
    ];
  });
  const enums = [...enumSchemas.keys()].sort().map((name) => [name, wordsOf(symbolOf(name), name)] as const);
  return { objects: Object.fromEntries(objects), enums: Object.fromEntries(enums) };
};
