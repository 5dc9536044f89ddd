/** Why the values of `namesOf` are no code to test. */
const NAMES = 'The argument of namesOf() lists names: its values are never read.';

/** Why texts for people are no behavior. A text that depends on a decision is mutated all the same. */
const PROSE =
  'Wording: tests check what a message says about a case, and docs/test/wording.test.ts how it says it.';

/** The classes of mutants that no test has to notice, by their reasons. */
export const CLASSES: readonly string[] = [NAMES, PROSE];

/** The part of Babel's nodes that is used here. */
interface Node {
  readonly type: string;
  readonly name?: string;
  readonly value?: unknown;
  readonly callee?: Node;
  readonly quasis?: readonly { readonly value: { readonly raw: string } }[];
  readonly expressions?: readonly Node[];
}

/** Three words, as no header, code or key has them. */
const isProse = (text: string): boolean => /[a-z]\S* \S*[a-z]\S* \S*[a-z]/i.test(text);

const textOf = ({ type, value, quasis = [], expressions = [] }: Node): string => {
  if (type === 'StringLiteral') {
    return String(value);
  }
  const decides = expressions.some(
    (expression) => !/^(?:Identifier|MemberExpression)$/.test(expression.type),
  );
  return decides ? '' : quasis.map(({ value: { raw } }) => raw).join('x');
};

const reasonFor = (node: Node): string | undefined => {
  if (node.type === 'CallExpression' && node.callee?.name === 'namesOf') {
    return NAMES;
  }
  const isText = node.type === 'StringLiteral' || node.type === 'TemplateLiteral';
  return isText && isProse(textOf(node)) ? PROSE : undefined;
};

/** Stryker loads this by name. */
export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'no-behavior',
    value: { shouldIgnore: ({ node }: { readonly node: Node }) => reasonFor(node) },
  },
];
