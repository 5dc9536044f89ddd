/**
 * Compares the exports of each package with `packages/<name>/api.md`, so that the diff of a commit shows which public names
 * and types it changes. Run it after a build, or with `pnpm api`, which builds the packages and writes the files.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { PACKAGES } from './pack.ts';
import { originalOf, readDeclarations } from './packages/declarations.ts';

const printer = ts.createPrinter({ removeComments: true });

type Texts = readonly (readonly [name: string, text: string])[];

const writeSection = (title: string, texts: Texts): string => {
  const sorted = texts.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
  return `## ${title}\n\n\`\`\`ts\n${sorted.join('\n')}\n\`\`\`\n`;
};

/** Writes the exports of a package by entry point, and the other types that they mention. */
const writeApi = (folder: string): string => {
  const { checker, entries } = readDeclarations(folder);

  /** Finds the statements in the package that declare a symbol: its overloads, or a type and a value of the same name. */
  const statementsOf = ({ declarations = [] }: ts.Symbol): ts.Node[] =>
    declarations
      .map((node) => (ts.isVariableDeclaration(node) ? node.parent.parent : node))
      .filter(
        ({ parent }) => parent && ts.isSourceFile(parent) && parent.fileName.startsWith(`${folder}/dist/`),
      );

  const textOf = (symbol: ts.Symbol): string =>
    statementsOf(symbol)
      .map((statement) => printer.printNode(ts.EmitHint.Unspecified, statement, statement.getSourceFile()))
      .join('\n')
      .replace(/^(?:export |declare )+/gm, '')
      // Private members.
      .replace(/^ +(?:private |#).*\n/gm, '');

  const mentioned = new Set<ts.Symbol>();
  const findMentioned = (node: ts.Node): void => {
    const symbol = ts.isIdentifier(node) ? checker.getSymbolAtLocation(node) : undefined;
    const original = symbol && originalOf(checker, symbol);
    if (original !== undefined && !mentioned.has(original)) {
      mentioned.add(original);
      statementsOf(original).forEach(findMentioned);
    }
    ts.forEachChild(node, findMentioned);
  };

  /** The first entry point that exports each symbol, which shows its declaration. */
  const shown = new Map<ts.Symbol, string>();
  const sections = entries.map(([entry, exports]) => {
    const texts = [...exports].map(([name, symbol]) => {
      const earlier = shown.get(symbol);
      if (earlier !== undefined) {
        return [name, `// ${name}: as in ${earlier}`] as const;
      }
      shown.set(symbol, entry);
      statementsOf(symbol).forEach(findMentioned);
      return [name, name === symbol.name ? textOf(symbol) : `// ${name}:\n${textOf(symbol)}`] as const;
    });
    return writeSection(entry, texts);
  });
  const others = [...mentioned].filter((symbol) => !shown.has(symbol) && statementsOf(symbol).length > 0);
  if (others.length > 0) {
    const texts = others.map((symbol) => [symbol.name, textOf(symbol)] as const);
    sections.push(writeSection('Not exported, but mentioned', texts));
  }
  return sections.join('\n');
};

const PURPOSE = `Every public name of the package with its type, so that the diff of a change shows what users will notice.
Written by \`pnpm api\`. The descriptions are in your editor and in the reference on the site.`;

for (const name of PACKAGES) {
  const folder = join(import.meta.dirname, '../packages', name);
  const path = join(folder, 'api.md');
  const text = `# The public declarations of @confab/${name}\n\n${PURPOSE}\n\n${writeApi(folder)}`;
  if (process.argv.includes('--write')) {
    writeFileSync(path, text);
  } else if (!existsSync(path) || readFileSync(path, 'utf8') !== text) {
    console.error(
      `What @confab/${name} exports differs from packages/${name}/api.md. Run pnpm api, and commit the file.`,
    );
    process.exitCode = 1;
  }
}
