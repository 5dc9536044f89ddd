import type { DefaultTheme } from 'vitepress';
import { GUIDES } from '../../guides.ts';
import { read } from './repository.ts';
import { linkTo, PACKAGES, pageOf, sources } from './sources.ts';

type Item = DefaultTheme.SidebarItem;

const guide = (name: string) => linkTo(`docs/guides/${name}.md`);
const under = (folder: string) =>
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
  { text: 'Examples', collapsed: true, items: under('examples/') },
  { text: 'Contribute', items: [linkTo('docs/how-it-works.md')] },
];

/** The index of decisions, by the headings of its groups. */
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

const named = (items: readonly Item[]): Set<string | undefined> =>
  new Set(items.flatMap(({ link, items = [] }) => [link, ...named(items)]));

/** Lists every page in the sidebar of its part of the site; a guide that none of them lists is an error. */
export const sidebars = (): Record<string, Item[]> => {
  const guides = named(groups);
  const missing = [...under('guides/'), ...under('packages/')].filter(
    ({ link }) => link !== '/guides/' && !guides.has(link),
  );
  if (missing.length > 0) {
    throw new Error(
      `Add these pages to docs/guides.ts or docs/.vitepress/content/sidebars.ts: ${missing.map(({ link }) => link).join(', ')}.`,
    );
  }
  const measured = [
    { text: 'Benchmarks', items: under('benchmarks/') },
    { text: 'Proof', items: under('proof/') },
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
