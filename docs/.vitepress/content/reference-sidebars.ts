import { globSync } from 'node:fs';
import { basename, posix } from 'node:path';
import type { DefaultTheme } from 'vitepress';
import { namesOfModules } from './reference.ts';
import { PAGES } from './repository.ts';
import { addressOf, PACKAGES } from './sources.ts';

type Item = DefaultTheme.SidebarItem;

/** Folders of the reference, in the order in which readers need them. */
const KINDS: readonly (readonly [folder: string, text: string])[] = [
  ['functions', 'Functions'],
  ['classes', 'Classes'],
  ['variables', 'Constants'],
  ['interfaces', 'Interfaces'],
  ['type-aliases', 'Types'],
];

/** `reference/client` for `reference/client/redis`. */
const packageOf = (folder: string): string => folder.split('/').slice(0, 2).join('/');

/** The exports of one entry point, by kind. */
const exportsOf = (module: string, pages: readonly string[]): Item[] =>
  KINDS.flatMap(([folder, text]) => {
    const items = pages
      .filter((page) => posix.dirname(page) === `${module}/${folder}`)
      .map((page) => ({ text: basename(page, '.md'), link: addressOf(page) }));
    return items.length === 0 ? [] : [{ text, items, collapsed: folder !== 'functions' }];
  });

/**
 * One sidebar per entry point: its exports, and links to the other entry points of its package. Every page contains
 * all sidebars, and a phone renders its own one completely, so each export is listed only once.
 */
export const referenceSidebars = (): Record<string, Item[]> => {
  const pages = globSync('reference/**/*.md', { cwd: PAGES }).sort();
  const modules = [...namesOfModules(pages)].sort(([one], [other]) => one.localeCompare(other));
  const sidebar = (folder: string, name: string): Item[] => [
    { text: name, link: `/${folder}/`, items: exportsOf(folder, pages) },
    {
      text: 'More entry points',
      items: modules
        .filter(([other]) => other !== folder && packageOf(other) === packageOf(folder))
        .map(([other, text]) => ({ text, link: `/${other}/` })),
    },
  ];
  return {
    ...Object.fromEntries(modules.map(([folder, name]) => [`/${folder}/`, sidebar(folder, name)])),
    '/reference/': [
      {
        text: 'Reference',
        items: PACKAGES.map((name) => ({ text: `@confab/${name}`, link: `/reference/${name}/` })),
      },
    ],
  };
};
