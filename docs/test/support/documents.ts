import { findCodeBlocks } from './code-blocks.ts';
import { list, read } from './repository.ts';

/** READMEs, skills and guides, by their paths. */
export const documents = list(
  '*.md',
  'packages/*/{README,SKILL}.md',
  'examples/*/README.md',
  'docs/guides/*.md',
  'docs/.vitepress/home.md',
);

/** The blocks of their code that tests run: `placeOf()` says where. */
export const blocks = documents.flatMap((document) => findCodeBlocks(document, read(document)));
