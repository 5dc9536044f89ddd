import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { list, ROOT, read } from '../../.vitepress/content/repository.ts';

/** A block of TypeScript or JavaScript in a document, or an example in a docstring. */
export interface Block {
  /** The document's path in the repository. */
  readonly document: string;
  /** Line of the document that its code begins on. */
  readonly line: number;
  readonly code: string;
  /** What its fence says: `ts`, `ts run`, `typescript`. */
  readonly info: string;
  /** The file that it is an excerpt of: the text before it is `<!-- from the/file.ts -->`. */
  readonly source?: string | undefined;
}

const FENCE =
  /(?:^<!-- from (\S+) -->\n)?^( *)```((?:[cm]?[jt]sx?|typescript|javascript)\b[^\n]*)\n(.*?)^\2```$/gms;

export const findBlocks = (document: string, markdown: string): Block[] =>
  [...markdown.matchAll(FENCE)].map(({ index, 0: block, 1: source, 3: info = '', 4: code = '' }) => ({
    document,
    line: (markdown.slice(0, index) + block.slice(0, block.indexOf('```'))).split('\n').length + 1,
    code,
    info,
    source,
  }));

/** Finds the examples in the docstrings of a source file: what follows `@example`. */
export const findExamples = (document: string, text: string): Block[] =>
  [...text.matchAll(/^ *\* @example\n((?: *\*(?!\/)(?! @).*\n)+)/gm)].map(({ index, 1: example = '' }) => ({
    document,
    line: text.slice(0, index).split('\n').length + 1,
    code: example.replace(/^ *\* ?(?:```.*)?/gm, ''),
    info: 'ts',
  }));

/**
 * Where a block is proven: in a `process` of its own, under `vitest`, under `playwright`, on a `stage`, where a mock
 * stands for the service and the names of the prelude have values, or in the file that it is an `excerpt` of.
 */
type Place = 'process' | 'vitest' | 'playwright' | 'stage' | 'excerpt' | 'nowhere';

export const placeOf = ({ code, info, source }: Block): Place => {
  if (source !== undefined) {
    return 'excerpt';
  }
  if (info !== 'ts') {
    return /^ts run(?: twoslash)?$/.test(info) ? 'process' : 'nowhere';
  }
  if (/from '@(?:confab\/mock|playwright)\/(?:playwright|test)'/.test(code)) {
    return 'playwright';
  }
  return /^(?:test|beforeAll)[.(]/m.test(code) ? 'vitest' : 'stage';
};

/** READMEs, skills and guides, by their paths. */
export const documents = list(
  '*.md',
  'packages/*/{README,SKILL}.md',
  'examples/*/README.md',
  'docs/guides/*.md',
  'docs/.vitepress/home.md',
);

/** Every block of their code. */
export const blocks = documents.flatMap((document) => findBlocks(document, read(document)));

/** The blocks of a place, each with its own place in the documents as a name for its test. */
export const blocksOf = (place: Place): (readonly [name: string, block: Block])[] =>
  blocks
    .filter((block) => placeOf(block) === place)
    .map((block) => [`${block.document}:${block.line}`, block]);

/** `packages-client-README.md-L10.ts` */
export const fileNameOf = ({ document, line }: Block): string =>
  `${document.replaceAll('/', '-')}-L${line}.ts`;

/** The block as a module whose lines have the numbers that they have in the document. */
export const moduleOf = ({ line, code }: Block): string => `${'\n'.repeat(line - 1)}${code}export {};\n`;

/** What a block says that it prints: the text after each `//=> `. */
export const promisedOutput = ({ code }: Pick<Block, 'code'>): string[] =>
  [...code.matchAll(/\/\/=> (.*)$/gm)].map(([, output = '']) => output);

/** Makes a folder, in which imports of the packages resolve to their source, with a file for each block. */
export const writeBlocks = (name: string, written: readonly Block[]): string => {
  const folder = join(ROOT, 'docs/.code-blocks', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  // What a probe has written.
  writeFileSync(
    join(folder, 'confab.mock.json'),
    '{ "behavior": { "order": { "leads.list": "createdAt asc" } } }',
  );
  for (const block of written) {
    writeFileSync(join(folder, fileNameOf(block)), moduleOf(block));
  }
  return folder;
};

/** The environment of a process that runs the source: what one process compiled, the next one does not. */
export const environment: NodeJS.ProcessEnv = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: join(ROOT, 'docs/.code-blocks/cache'),
};
