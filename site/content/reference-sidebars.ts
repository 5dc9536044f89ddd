import { globSync } from 'node:fs';
import { basename, posix } from 'node:path';
import type { DefaultTheme } from 'vitepress';
import { namesOfModules } from './reference.ts';
import { PAGES } from './repository.ts';
import { addressOf, PACKAGES } from './sources.ts';

type Item = DefaultTheme.SidebarItem;

/** Folders of the reference, in the order in which readers need what is in them. */
const KINDS: readonly (readonly [folder: string, text: string])[] = [
  ['functions', 'Functions'],
  ['classes', 'Classes'],
  ['variables', 'Constants'],
  ['interfaces', 'Interfaces'],
  ['type-aliases', 'Types'],
];

/** The exports of one entry point, by kind. */
const exportsOf = (module: string, pages: readonly string[]): Item[] =>
  KINDS.flatMap(([folder, text]) => {
    const items = pages
      .filter((page) => posix.dirname(page) === `${module}/${folder}`)
      .map((page) => ({ text: basename(page, '.md'), link: addressOf(page) }));
    return items.length === 0 ? [] : [{ text, items, collapsed: folder !== 'functions' }];
  });

/** One sidebar per package: its entry points, the main one first, with their exports. */
export const referenceSidebars = (): Record<string, Item[]> => {
  const pages = globSync('reference/**/*.md', { cwd: PAGES }).sort();
  const modules = [...namesOfModules(pages)].sort(([one], [other]) => one.localeCompare(other));
  const sidebar = (name: string): Item[] =>
    modules
      .filter(([folder]) => `${folder}/`.startsWith(`reference/${name}/`))
      .map(([folder, text]) => ({
        text: text === `@confab/${name}` ? text : text.replace('@confab/', ''),
        link: `/${folder}/`,
        items: exportsOf(folder, pages),
        collapsed: text !== `@confab/${name}`,
      }));
  return {
    ...Object.fromEntries(PACKAGES.map((name) => [`/reference/${name}/`, sidebar(name)])),
    '/reference/': [
      {
        text: 'Reference',
        items: PACKAGES.map((name) => ({ text: `@confab/${name}`, link: `/reference/${name}/` })),
      },
    ],
  };
};
