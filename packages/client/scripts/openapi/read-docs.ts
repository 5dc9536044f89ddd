import ts from 'typescript';
import { checker, docOf, exported } from './read-types.ts';

/** The doc comments of an object or an enum, and of the fields of an object. */
export interface TypeDoc {
  readonly description: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Reads the doc comment of one of the contract's types: `Lead`. */
export const readTypeDoc = (name: string): TypeDoc | undefined => {
  const symbol = exported.find((each) => each.name === name);
  if (symbol === undefined) {
    return undefined;
  }
  const type = checker.getDeclaredTypeOfSymbol(symbol);
  const fields = type.isUnion() ? [] : type.getProperties();
  return {
    description: docOf(symbol).join(' '),
    fields: Object.fromEntries(fields.map((field) => [field.name, docOf(field).join(' ')])),
  };
};

/** Reads the doc comment of an operation. */
export const readOperationDoc = (id: string) => {
  const table = exported.find(({ name }) => name === 'operations');
  const operation = table && checker.getTypeOfSymbol(table).getProperty(id);
  if (operation === undefined) {
    throw new Error(`The table of operations has no ${id}.`);
  }
  const [summary = '', description = ''] = docOf(operation);
  const returns = operation.getJsDocTags(checker).find(({ name }) => name === 'returns');
  return {
    summary: summary.replace(/\.$/, ''),
    description,
    returns: ts.displayPartsToString(returns?.text),
  };
};
