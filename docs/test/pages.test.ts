import { expect, test } from 'vitest';
import { changelog } from '../.vitepress/content/changelog.ts';
import { summarize } from '../.vitepress/content/front-matter.ts';
import { introduce, namesOfModules } from '../.vitepress/content/reference.ts';
import { relink } from '../.vitepress/content/relink.ts';
import { list, read } from '../.vitepress/content/repository.ts';
import { groups, sidebars } from '../.vitepress/content/sidebars.ts';
import { addressOf, pageOf, sources } from '../.vitepress/content/sources.ts';

const modules = namesOfModules([
  'reference/index.md',
  'reference/client/index.md',
  'reference/client/redis/index.md',
]);

test('each Markdown file has a page of its own on the site', () => {
  const pages = sources().map(pageOf);
  expect(pages.length).toBeGreaterThan(60);
  expect(new Set(pages).size).toBe(pages.length);
});

/** The sidebar takes their place. */
const INDEXES = new Set(['/decisions/', '/guides/']);

test('a sidebar of the site lists every guide and every decision', () => {
  const linked = JSON.stringify(sidebars());
  expect(linked).not.toContain('`');
  for (const source of sources()) {
    const address = addressOf(pageOf(source) ?? '');
    expect(linked.includes(`"${address}"`) || INDEXES.has(address), address).toBe(true);
  }
});

test('the index of the guides has the groups and pages of the menu, in the same order', () => {
  const path = 'docs/guides/README.md';
  const index = [...relink(read(path), path).matchAll(/^(?:## (.*)|- \[(.*)\]\((.*?)\):)/gm)].map(
    ([, group, text = '', link]) => group ?? `${text.replaceAll('`', '')} ${link}`,
  );
  const menu = groups.flatMap(({ text, items }) => [
    text,
    ...items.map(({ text, link }) => `${text} ${link}`),
  ]);
  expect(index).toEqual(menu);
});

test('a page of the reference shows the import of what it describes, and its title names the package', () => {
  const page = 'reference/client/redis/functions/redisRateLimit.md';
  expect(introduce(page, '# Function: redisRateLimit()\n\nShares one limit.\n', modules)).toEqual({
    title: 'redisRateLimit() · @confab/client/redis',
    markdown:
      "# redisRateLimit()\n\n```ts\nimport { redisRateLimit } from '@confab/client/redis';\n```\n\nShares one limit.\n",
  });
  expect(
    introduce('reference/client/interfaces/Page.md', '# Interface: Page\\<T\\>\n', modules),
  ).toMatchObject({
    title: 'Page<T> · @confab/client',
    markdown: expect.stringContaining("import type { Page } from '@confab/client';"),
  });
});

test('summarize() returns the first paragraph, without markup, cut to a length that search engines show', () => {
  expect(summarize('# Title\n\n```ts\ncode();\n```\n\nUse [`all`](paging.md), or\n_not_.\n\nMore.\n')).toBe(
    'Use all, or not.',
  );
  expect(summarize(`# Title\n\n${'word '.repeat(100)}\n`)).toMatch(/^(?:word ){20,31}word…$/);
  expect(summarize('# Title\n')).toBeUndefined();
});

test('the changelog contains the text of each changeset, without its list of packages', () => {
  const page = changelog();
  for (const path of list('.changeset/*.md')) {
    const [, , text = ''] = read(path).split(/^---$/m);
    expect(page).toContain(text.trim());
  }
  expect(page).not.toMatch(/^['"]@confab\/\w+['"]: /m);
});
