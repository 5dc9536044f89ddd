import type { DefaultTheme } from 'vitepress';
import { read } from './repository.ts';
import { linkTo, pageOf, sources } from './sources.ts';

type Item = DefaultTheme.SidebarItem;

const guide = (name: string, text?: string): Item => linkTo(`docs/guides/${name}.md`, text);
const overview = (name: string): Item => linkTo(`packages/${name}/README.md`, 'Overview');
const under = (folder: string): Item[] =>
  sources()
    .filter((source) => pageOf(source)?.startsWith(folder))
    .map((source) => linkTo(source));

const GUIDES: readonly Item[] = [
  {
    text: 'Start',
    items: [
      guide('getting-started'),
      guide('runtimes'),
      linkTo('docs/compatibility.md'),
      guide('migrating-from-hand-written-calls'),
      guide('open-questions'),
    ],
  },
  {
    text: '@confab/client',
    items: [
      overview('client'),
      guide('retries-and-rate-limits'),
      guide('errors'),
      guide('paging'),
      guide('bulk-imports'),
      guide('several-processes'),
      guide('tracing'),
      guide('middleware-with-ky'),
      guide('command-line'),
    ],
  },
  { text: '@confab/webhooks', items: [overview('webhooks'), guide('webhooks')] },
  { text: '@confab/mock', items: [overview('mock'), guide('testing'), guide('test-runners')] },
  { text: 'Examples', collapsed: true, items: under('examples/') },
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
  const guides = named(GUIDES);
  const missing = [...under('guides/'), ...under('packages/')].filter(({ link }) => !guides.has(link));
  if (missing.length > 0) {
    throw new Error(
      `Add these pages to site/content/sidebars.ts: ${missing.map(({ link }) => link).join(', ')}.`,
    );
  }
  const benchmarks = [{ text: 'Benchmarks', items: under('benchmarks/') }];
  return {
    '/guides/': [...GUIDES],
    '/packages/': [...GUIDES],
    '/examples/': [...GUIDES],
    '/benchmarks/': benchmarks,
    '/decisions/': [{ text: 'Decisions', items: decisions() }],
  };
};
