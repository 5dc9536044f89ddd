import { list, read } from './repository.ts';

/** The packages, in the order in which the site shows them. */
export const PACKAGES = ['client', 'webhooks', 'mock'] as const;

/** How a path in the repository becomes a path on the site. The first pattern that matches counts. */
const RULES: readonly (readonly [pattern: RegExp, page: string])[] = [
  [/^docs\/(guides|decisions|benchmarks|proof)\/README\.md$/, '$1/index.md'],
  [/^docs\/benchmarks\.md$/, 'benchmarks/index.md'],
  // The `docsUrl` of every error leads to this page.
  [/^docs\/errors\.md$/, 'errors.md'],
  [/^docs\/(compatibility|how-it-works)\.md$/, 'guides/$1.md'],
  [/^docs\/((?:guides|decisions|benchmarks|proof)\/[\w-]+\.md)$/, '$1'],
  [/^packages\/(client|webhooks|mock)\/README\.md$/, 'packages/$1.md'],
  [/^examples\/([\w-]+)\/README\.md$/, 'examples/$1.md'],
  [/^README\.md$/, 'index.md'],
];

/** The page that shows a Markdown file of the repository, or undefined if it is not on the site. */
export const pageOf = (source: string): string | undefined => {
  const rule = RULES.find(([pattern]) => pattern.test(source));
  return rule && source.replace(...rule);
};

/** Every Markdown file that the site shows as it is. The landing page replaces the README. */
export const sources = (): string[] =>
  list(
    'docs/*.md',
    'docs/{guides,decisions,benchmarks,proof}/*.md',
    'packages/*/README.md',
    'examples/*/README.md',
  ).filter((source) => pageOf(source) !== undefined);

/** The address of a page below the site's base: `/guides/paging`, or `/decisions/` for an index. */
export const addressOf = (page: string): string =>
  `/${page.replace(/\.md$/, '').replace(/(^|\/)index$/, '$1')}`;

/** The text of the first heading. */
const titleOf = (markdown: string): string | undefined => /^# (.*)$/m.exec(markdown)?.[1];

/** A link to the page of a Markdown file, with the file's heading as its text. Sidebars show no markup. */
export const linkTo = (source: string, text = titleOf(read(source))): { text: string; link: string } => {
  const page = pageOf(source);
  if (page === undefined || text === undefined) {
    throw new Error(`${source} has no page on the site, or no heading.`);
  }
  return { text: text.replaceAll('`', ''), link: addressOf(page) };
};
