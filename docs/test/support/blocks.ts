import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { list, ROOT, read } from '../../.vitepress/content/repository.ts';

/** A block of TypeScript or JavaScript in a document, or an example in a docstring. */
export interface Block {
  /** The document's path in the repository. */
  readonly document: string;
  /** The line of the document on which its code begins. */
  readonly line: number;
  readonly code: string;
  /** The words after its fence: `ts`, `ts run`, `typescript`. */
  readonly info: string;
  /** The file that it quotes, if the line before it is `<!-- from the/file.ts -->`. */
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

/** Finds the examples in the docstrings of a source file, which follow `@example`. */
export const findExamples = (document: string, text: string): Block[] =>
  [...text.matchAll(/^ *\* @example\n((?: *\*(?!\/)(?! @).*\n)+)/gm)].map(({ index, 1: example = '' }) => ({
    document,
    line: text.slice(0, index).split('\n').length + 1,
    code: example.replace(/^ *\* ?(?:```.*)?/gm, ''),
    info: 'ts',
  }));

/**
 * Where a block runs: in a `process` of its own, under `vitest`, under `playwright`, on a `stage`, where a mock replaces the
 * service and the names of the prelude have values, or in the file of which it is an `excerpt`.
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

/** All code blocks of the documents. */
export const blocks = documents.flatMap((document) => findBlocks(document, read(document)));

/** Returns the blocks that run in a place, each with its document and line as a name for its test. */
export const blocksOf = (place: Place): (readonly [name: string, block: Block])[] =>
  blocks
    .filter((block) => placeOf(block) === place)
    .map((block) => [`${block.document}:${block.line}`, block]);

/** `packages-client-README.md-L10.ts` */
export const fileNameOf = ({ document, line }: Block): string =>
  `${document.replaceAll('/', '-')}-L${line}.ts`;

/** The block as a module whose lines have the numbers that they have in the document. */
export const moduleOf = ({ line, code }: Block): string => `${'\n'.repeat(line - 1)}${code}export {};\n`;

/** Returns the lines that a block promises to print: the text after each `//=> `. */
export const promisedOutput = ({ code }: Pick<Block, 'code'>): string[] =>
  [...code.matchAll(/\/\/=> (.*)$/gm)].map(([, output = '']) => output);

/** Creates a folder with a file for each block. There, imports of the packages resolve to their source. */
export const writeBlocks = (name: string, written: readonly Block[]): string => {
  const folder = join(ROOT, 'docs/.code-blocks', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  // A file as a probe writes it.
  writeFileSync(
    join(folder, 'confab.mock.json'),
    '{ "behavior": { "order": { "leads.list": "createdAt asc" } } }',
  );
  for (const block of written) {
    writeFileSync(join(folder, fileNameOf(block)), moduleOf(block));
  }
  return folder;
};

/** The environment of processes that run the source. They share a cache of compiled code. */
export const environment: NodeJS.ProcessEnv = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: join(ROOT, 'docs/.code-blocks/cache'),
};
