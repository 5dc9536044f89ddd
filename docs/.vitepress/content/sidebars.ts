import type { DefaultTheme } from 'vitepress';
import { GUIDES } from '../../guides.ts';
import { read } from './repository.ts';
import { linkTo, PACKAGES, pageOf, sources } from './sources.ts';

type Item = DefaultTheme.SidebarItem;

const guide = (name: string) => linkTo(`docs/guides/${name}.md`);
const pagesUnder = (folder: string) =>
  sources()
    .filter((source) => pageOf(source)?.startsWith(folder))
    .map((source) => linkTo(source));

/** The menu of the site. */
export const groups = [
  ...Object.entries(GUIDES).map(([text, guides]) => ({ text, items: guides.map(guide) })),
  { text: 'Packages', items: PACKAGES.map((name) => linkTo(`packages/${name}/README.md`)) },
  {
    text: 'Look up',
    items: [linkTo('docs/errors.md'), linkTo('docs/compatibility.md'), guide('open-questions')],
  },
  { text: 'Examples', collapsed: true, items: pagesUnder('examples/') },
  {
    text: 'Contribute',
    items: ['docs/how-it-works.md', 'docs/decisions/README.md', 'docs/proof/README.md'].map((page) =>
      linkTo(page),
    ),
  },
];

/** The decisions, by the groups of their index. */
const decisions = (): Item[] =>
  read('docs/decisions/README.md')
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      text: section.slice(0, section.indexOf('\n')).replaceAll('`', ''),
      items: [...section.matchAll(/^- \[(.*?)\]\((.*?)\)$/gm)].map(([, text, file]) =>
        linkTo(`docs/decisions/${file}`, text),
      ),
    }));

const linksIn = (items: readonly Item[]): Set<string | undefined> =>
  new Set(items.flatMap(({ link, items = [] }) => [link, ...linksIn(items)]));

/**
 * The sidebar of each part of the site.
 *
 * @throws An {@link Error} when the menu lacks a guide or a package.
 */
export const sidebars = (): Record<string, Item[]> => {
  const linked = linksIn(groups);
  const missing = [...pagesUnder('guides/'), ...pagesUnder('packages/')].filter(
    ({ link }) => link !== '/guides/' && !linked.has(link),
  );
  if (missing.length > 0) {
    throw new Error(
      `Add these pages to docs/guides.ts or docs/.vitepress/content/sidebars.ts: ${missing.map(({ link }) => link).join(', ')}.`,
    );
  }
  const measured = [
    { text: 'Benchmarks', items: pagesUnder('benchmarks/') },
    { text: 'Proof', items: pagesUnder('proof/') },
  ];
  return {
    '/guides/': groups,
    '/packages/': groups,
    '/examples/': groups,
    '/errors': groups,
    '/benchmarks/': measured,
    '/proof/': measured,
    '/decisions/': [{ text: 'Decisions', items: decisions() }],
  };
};
