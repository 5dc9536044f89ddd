import ts from 'typescript';
import { checker, exported } from './openapi/read-types.ts';

const inferred = (symbol: ts.Symbol): ts.Type | undefined => {
  const type = checker.getDeclaredTypeOfSymbol(symbol);
  return type.isClassOrInterface() ? checker.getBaseTypes(type)[0] : undefined;
};

/** The interfaces, by the types that they stand for. */
const names = new Map(exported.map((symbol) => [inferred(symbol), symbol.name]));

const commentOf = (symbol: ts.Symbol): string => {
  const text = ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim();
  const tags = symbol
    .getJsDocTags(checker)
    .map((tag) => `\n@${tag.name} ${ts.displayPartsToString(tag.text)}`);
  return `/**\n * ${(text + tags.join('')).replaceAll('\n', '\n * ')}\n */\n`;
};

const print = (type: ts.Type): string => {
  const name = names.get(type);
  if (name !== undefined) {
    return name;
  }
  if (type.isUnion() && type.types.some((option) => names.has(option))) {
    return type.types.map(print).join(' | ');
  }
  if (checker.isArrayType(type)) {
    return `${checker.getTypeArguments(type as ts.TypeReference).map(print)}[]`;
  }
  if ((type.flags & ts.TypeFlags.Object) === 0) {
    return checker.typeToString(
      type,
      undefined,
      ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.InTypeAlias,
    );
  }
  const fields = type.getProperties().map((field) => {
    const isReadonly = field.declarations?.some(
      (declaration) => (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Readonly) !== 0,
    );
    const optional = (field.flags & ts.SymbolFlags.Optional) === 0 ? '' : '?';
    const key = /^\w+$/.test(field.name) ? field.name : JSON.stringify(field.name);
    return `${commentOf(field)}${isReadonly ? 'readonly ' : ''}${key}${optional}: ${print(checker.getTypeOfSymbol(field))};\n`;
  });
  return `{\n${fields.join('')}}`;
};

/**
 * Declares the exports of `contract/types.ts` without zod. The compiler's own declarations of inferred types would make the
 * compiler of every program that uses the client load zod, and their fields would have no doc comments.
 */
export const declareTypes = (): string =>
  exported
    .filter(({ declarations: [declaration] = [] }) =>
      /\/types\.ts$/.test(declaration?.getSourceFile().fileName ?? ''),
    )
    .map((symbol) => {
      const type = inferred(symbol) ?? checker.getDeclaredTypeOfSymbol(symbol);
      const isObject = (type.flags & ts.TypeFlags.Object) !== 0;
      names.delete(type);
      const printed = print(type);
      names.set(type, symbol.name);
      return `${commentOf(symbol)}export ${isObject ? `interface ${symbol.name}` : `type ${symbol.name} =`} ${printed}\n`;
    })
    .join('');
