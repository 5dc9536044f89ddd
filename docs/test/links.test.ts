import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { list, ROOT, read } from '../.vitepress/content/repository.ts';
import { anchorOf } from '../.vitepress/slugify.ts';

const documents = list(
  '*.md',
  'docs/*.md',
  'docs/{benchmarks,decisions,guides}/*.md',
  'examples/*/README.md',
  'packages/*/README.md',
);

/** The anchors that GitHub gives the headings of a document. */
const anchorsOf = (path: string): string[] =>
  [
    ...read(path)
      .replaceAll(/^```.*?^```$/gms, '')
      .matchAll(/^#+ (.*)$/gm),
  ].map(([, heading = '']) => anchorOf(heading));

const links = documents.flatMap((document) =>
  [...read(document).matchAll(/\]\((?!\w+:)([^)\s]+)\)/g)].map(([, link = '']) => [document, link] as const),
);

test('the documents have links to each other', () => {
  expect(links.length).toBeGreaterThan(100);
});

test.for(links)('the link in %s to %s leads to a file and a heading', ([document, link]) => {
  const [target = '', anchor] = link.split('#');
  const path = target === '' ? document : posix.join(posix.dirname(document), target);
  expect(existsSync(ROOT + path), path).toBe(true);
  if (anchor !== undefined) {
    expect(anchorsOf(path)).toContain(anchor);
  }
});
