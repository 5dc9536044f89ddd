import ts from 'typescript';
import { expect, test } from 'vitest';
import type { SourceFile } from './support/source-files.ts';
import { at, nodesOf, parse, sourceFiles } from './support/source-files.ts';

/*
 * How source files are written, as far as Biome does not check it. Each rule returns the places that break it, and has
 * a snippet which it must refuse.
 */
type Rule = (files: readonly SourceFile[]) => string[];

/** Each docstring of a file, with its position. */
const docstrings = ({ text }: SourceFile): { comment: string; start: number }[] =>
  [...text.matchAll(/\/\*\*(?!\/)[\s\S]*?\*\//g)].map(({ 0: comment, index }) => ({ comment, start: index }));

const inDocstrings =
  (pattern: RegExp, what: string): Rule =>
  (files) =>
    files.flatMap((file) =>
      docstrings(file).flatMap(({ comment, start }) =>
        [...comment.matchAll(pattern)].map(({ index }) => at(file, start + index, what)),
      ),
    );

// An abort has no class of its own: what it throws is up to the caller. A code or a status may precede the condition.
const throwsNamesItsClass = inDocstrings(
  /(?<=\* )@throws(?! (?:\{@link [^}]+\}(?: When| (?:`[A-Z_]+`|\d{3}), when) |The signal's reason\b))/g,
  'write `@throws {@link Class} When …`, one tag per class',
);

const examplesAreFenced = inDocstrings(
  /(?<=\* )@example(?!\n *\* ```tsx?\n)/g,
  'put a ```ts block below @example',
);

const noStrayBlankLines = inDocstrings(
  /^\/\*\*\n\s*\*\n|\n\s*\*(?=\n\s*\*(?:\n|\/))/g,
  'remove the blank line from the docstring',
);

const isExported = (node: ts.HasModifiers): boolean =>
  node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;

const allowsUndefined = (type: ts.TypeNode | undefined): boolean =>
  type !== undefined &&
  (type.kind === ts.SyntaxKind.UndefinedKeyword || type.kind === ts.SyntaxKind.UnknownKeyword
    ? true
    : ts.isUnionTypeNode(type) && type.types.some(allowsUndefined));

const optionsAllowUndefined: Rule = (files) =>
  files.flatMap((file) =>
    nodesOf(file)
      .filter((node) => ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node))
      .filter((node) => isExported(node) && node.name.text.endsWith('Options'))
      .flatMap((node) => nodesOf({ ...file, tree: node as ts.Node as ts.SourceFile }))
      .filter(ts.isPropertySignature)
      .filter(({ questionToken, type }) => questionToken !== undefined && !allowsUndefined(type))
      .map((property) =>
        at(file, property.getStart(), `write \`${property.name.getText()}?: … | undefined\``),
      ),
  );

interface ErrorClass {
  readonly file: SourceFile;
  readonly node: ts.ClassDeclaration;
  readonly parent: string;
}

const parentOf = (node: ts.ClassDeclaration): string | undefined =>
  node.heritageClauses
    ?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)
    ?.types[0]?.expression.getText();

/** The classes that extend `Error`, directly or through each other, by name. */
const errorClasses = (files: readonly SourceFile[]): Map<string, ErrorClass> => {
  const classes = files.flatMap((file) =>
    nodesOf(file)
      .filter(ts.isClassDeclaration)
      .map((node) => ({ file, node, parent: parentOf(node) ?? '' })),
  );
  const errors = new Map<string, ErrorClass>();
  for (let found = -1; found < errors.size; ) {
    found = errors.size;
    for (const each of classes) {
      if (/^(?:\w*Error|DOMException)$/.test(each.parent) || errors.has(each.parent)) {
        errors.set(each.node.name?.text ?? '', each);
      }
    }
  }
  return errors;
};

const isAbstract = (node: ts.ClassDeclaration): boolean =>
  node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AbstractKeyword) ?? false;

const propertyOf = ({ node }: ErrorClass, name: string): ts.PropertyDeclaration | undefined =>
  node.members.filter(ts.isPropertyDeclaration).find((member) => member.name.getText() === name);

const errorsHaveLiteralNames: Rule = (files) =>
  [...errorClasses(files).values()].flatMap((error) => {
    const name = error.node.name?.text;
    return isAbstract(error.node) || propertyOf(error, 'name')?.initializer?.getText().startsWith(`'${name}'`)
      ? []
      : [at(error.file, error.node.getStart(), `give ${name} the property \`name = '${name}'\``)];
  });

const errorsHaveCodes: Rule = (files) => {
  const errors = errorClasses(files);
  const codeOf = (error: ErrorClass | undefined): ts.PropertyDeclaration | undefined =>
    error && (propertyOf(error, 'code') ?? codeOf(errors.get(error.parent)));
  return [...errors.values()].flatMap((error) => {
    const code = codeOf(error);
    const literals = code?.getText().match(/'[^']*'/g) ?? [];
    return code !== undefined && literals.every((literal) => /^'[A-Z][A-Z\d]*(?:_[A-Z\d]+)*'$/.test(literal))
      ? []
      : [
          at(
            error.file,
            error.node.getStart(),
            `give ${error.node.name?.text} a \`code\` in UPPER_SNAKE_CASE`,
          ),
        ];
  });
};

/** British spellings, as parts of a word in lower case. */
const BRITISH =
  /behaviour|colour|favour|honour|neighbour|(?:initial|normal|serial|canonical|organ|recogn|optim|minim|maxim|author|summar|priorit|general|special|stabil|token|util|final|capital|custom|synchron|item|categor|real)is(?:e|ed|er|es|ing|ation)$|(?:cancel|label|model|signal|travel|marshal)l(?:ed|ing|er)$|analyse|catalogue|centre$|licence|defence|grey$|judgement|fulfil$|dialogue$|artefact|whilst/;

const namesAreAmerican: Rule = (files) =>
  files.flatMap((file) =>
    nodesOf(file)
      .filter((node) => ts.isIdentifier(node))
      .flatMap((node) => {
        const british = node.text
          .split(/(?<=[a-z\d])(?=[A-Z])|_/)
          .find((word) => BRITISH.test(word.toLowerCase()));
        return british === undefined
          ? []
          : [at(file, node.getStart(), `spell ${british} as in American English`)];
      }),
  );

const files = sourceFiles('packages/*/src/**/*.ts', 'examples/*/src/**/*.{ts,tsx}', 'scripts/**/*.ts');

test.for<[rule: string, check: Rule, broken: string]>([
  [
    '@throws names a class and says when',
    throwsNamesItsClass,
    '/**\n * @throws {TypeError} Without a name.\n */',
  ],
  ['@example is followed by a fenced block', examplesAreFenced, '/**\n * @example\n * const a = 1;\n */'],
  ['docstrings have no stray blank lines', noStrayBlankLines, '/**\n * One.\n *\n *\n * Two.\n */'],
  [
    'optional fields of exported options allow undefined',
    optionsAllowUndefined,
    'export interface AOptions { retry?: { limit?: number } | undefined }',
  ],
  ['an error class has a literal name', errorsHaveLiteralNames, "class A extends TypeError { name = 'B' }"],
  ['an error class has a code', errorsHaveCodes, "class A extends Error { readonly code = 'not-found' }"],
  ['identifiers have American spelling', namesAreAmerican, 'const parseBehaviour = 1;'],
])('%s', ([, check, broken]) => {
  expect(check([parse('broken.ts', broken)])).not.toEqual([]);
  expect(check(files)).toEqual([]);
});
