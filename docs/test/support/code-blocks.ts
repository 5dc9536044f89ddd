/** A block of TypeScript in a Markdown document. */
export interface CodeBlock {
  /** The document's path in the repository. */
  readonly document: string;
  /** Line of the document that its code begins on. */
  readonly line: number;
  readonly code: string;
  /** True for ` ```ts run `: it needs nothing from outside and is carried out. */
  readonly runs: boolean;
}

/** Finds the blocks that begin with ` ```ts `, ` ```ts run ` or ` ```ts run twoslash `. */
export const findCodeBlocks = (document: string, markdown: string): CodeBlock[] =>
  [...markdown.matchAll(/^( *)```ts( run)?(?: twoslash)?\n(.*?)^\1```$/gms)].map(
    ({ index, 2: run, 3: code = '' }) => ({
      document,
      line: markdown.slice(0, index).split('\n').length + 1,
      code,
      runs: run !== undefined,
    }),
  );

/** Finds the examples in the docstrings of a source file: what follows `@example`, fenced or not. */
export const findExamples = (document: string, source: string): CodeBlock[] =>
  [...source.matchAll(/^ *\* @example\n((?: *\*(?!\/)(?! @).*\n)+)/gm)].map(({ index, 1: example = '' }) => ({
    document,
    line: source.slice(0, index).split('\n').length + 1,
    code: example.replace(/^ *\* ?(?:```.*)?/gm, ''),
    runs: false,
  }));

/** `packages-client-README.md-L10.ts` */
export const fileNameOf = ({ document, line }: CodeBlock): string =>
  `${document.replaceAll('/', '-')}-L${line}.ts`;

/** The block as a module whose lines have the numbers that they have in the document. */
export const moduleOf = ({ line, code }: CodeBlock): string => `${'\n'.repeat(line - 1)}${code}export {};\n`;

/** What a block says that it prints: the text after each `//=> `. */
export const promisedOutput = ({ code }: CodeBlock): string[] =>
  [...code.matchAll(/\/\/=> (.*)$/gm)].map(([, output = '']) => output);
