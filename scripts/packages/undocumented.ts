import { relative } from 'node:path';
import ts from 'typescript';
import { readDeclarations } from './declarations.ts';

/** The fields that a declaration lists, also those of the types within it. */
const fieldsIn = (node: ts.Node): ts.NamedDeclaration[] => {
  const fields: ts.NamedDeclaration[] = [];
  const visit = (child: ts.Node): void => {
    if ((ts.isTypeElement(child) || ts.isClassElement(child)) && child.name !== undefined) {
      fields.push(child);
    }
    // The comment of a function describes its parameters and its result.
    if (!ts.isFunctionLike(child) && !ts.isTypeParameterDeclaration(child)) {
      ts.forEachChild(child, visit);
    }
  };
  ts.forEachChild(node, visit);
  return fields;
};

const isPrivate = (field: ts.NamedDeclaration): boolean =>
  (ts.getCombinedModifierFlags(field) & ts.ModifierFlags.Private) !== 0 ||
  (field.name !== undefined && (ts.isPrivateIdentifier(field.name) || ts.isComputedPropertyName(field.name)));

/**
 * The exports without a doc comment, and the fields of exported types without one. Users see these comments when they
 * hover over a name.
 *
 * @param folder The unpacked tarball.
 * @returns A line for each: `dist/contract/types.d.ts: Lead.phone`.
 */
export const undocumentedIn = (folder: string): string[] => {
  const { checker, entries } = readDeclarations(folder);
  // A field that overrides one of a base type shows the comment of that one.
  const hasComment = (symbol: ts.Symbol | undefined): boolean =>
    symbol === undefined || symbol.getDocumentationComment(checker).length > 0;

  const exported = entries.flatMap(([, exports]) => [...exports]);
  const found = exported.flatMap(([name, original]) => {
    const ours = (original.declarations ?? [])
      .map((declaration) => ({ declaration, file: relative(folder, declaration.getSourceFile().fileName) }))
      .filter(({ file }) => !file.startsWith('..'));
    return ours.flatMap(({ declaration, file }) => [
      ...(hasComment(original) ? [] : [`${file}: ${name}`]),
      // The types of schemas and of the table of operations are zod's.
      ...(ts.isVariableDeclaration(declaration) ? [] : fieldsIn(declaration))
        .filter((field) => field.name !== undefined && !hasComment(checker.getSymbolAtLocation(field.name)))
        .filter((field) => !isPrivate(field))
        .map((field) => `${file}: ${name}.${field.name?.getText()}`),
    ]);
  });
  return [...new Set(found)].sort();
};
