import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';

/** The declaration files that a package's users import. */
const entriesOf = (folder: string): string[] => {
  const { exports }: { exports: Record<string, { types?: string } | string> } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  return Object.values(exports).flatMap((target) =>
    typeof target === 'object' && target.types !== undefined ? [join(folder, target.types)] : [],
  );
};

const hasComment = (symbol: ts.Symbol, checker: ts.TypeChecker): boolean =>
  // A field that overrides one of a base type shows the comment of that one.
  ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim() !== '';

const isField = (node: ts.Node): node is ts.ClassElement | ts.TypeElement =>
  ts.isPropertySignature(node) ||
  ts.isMethodSignature(node) ||
  ts.isPropertyDeclaration(node) ||
  ts.isMethodDeclaration(node) ||
  ts.isAccessor(node);

const isPrivate = (node: ts.ClassElement | ts.TypeElement): boolean =>
  (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Private) !== 0 ||
  (node.name !== undefined && ts.isPrivateIdentifier(node.name));

/**
 * The exports without a doc comment, and the fields of exported types without one. Users see these comments when they
 * hover over a name.
 *
 * @param folder The unpacked tarball.
 * @returns A line for each: `dist/contract/types.d.ts: Lead.phone`.
 */
export const undocumentedIn = (folder: string): string[] => {
  const program = ts.createProgram(entriesOf(folder), {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    skipLibCheck: true,
    noEmit: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  const found = new Set<string>();

  const visit = (node: ts.Node, file: string, path: string): void => {
    if (!isField(node)) {
      if (
        ts.isFunctionTypeNode(node) ||
        ts.isConstructorDeclaration(node) ||
        ts.isTypeParameterDeclaration(node)
      ) {
        return;
      }
      ts.forEachChild(node, (child) => visit(child, file, path));
      return;
    }
    if (isPrivate(node) || ts.isComputedPropertyName(node.name ?? node)) {
      return;
    }
    const here = `${path}.${node.name?.getText() ?? ''}`;
    const symbol = node.name && checker.getSymbolAtLocation(node.name);
    if (symbol !== undefined && !hasComment(symbol, checker)) {
      found.add(`${file}: ${here}`);
    }
    // The comment of a method describes its parameters.
    if (!ts.isFunctionLike(node)) {
      ts.forEachChild(node, (child) => visit(child, file, here));
    }
  };

  for (const entry of entriesOf(folder)) {
    const source = program.getSourceFile(entry);
    const module = source && checker.getSymbolAtLocation(source);
    for (const exported of module === undefined ? [] : checker.getExportsOfModule(module)) {
      const isAlias = (exported.flags & ts.SymbolFlags.Alias) !== 0;
      const symbol = isAlias ? checker.getAliasedSymbol(exported) : exported;
      for (const declaration of symbol.declarations ?? []) {
        const file = relative(folder, declaration.getSourceFile().fileName);
        if (file.startsWith('..')) {
          continue;
        }
        if (!hasComment(symbol, checker)) {
          found.add(`${file}: ${symbol.name}`);
        }
        // The types of schemas and of the table of operations are zod's.
        if (!ts.isVariableDeclaration(declaration)) {
          ts.forEachChild(declaration, (child) => visit(child, file, symbol.name));
        }
      }
    }
  }
  return [...found].sort();
};
