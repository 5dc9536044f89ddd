import { posix } from 'node:path';

/** `# Function: createClient()`, as TypeDoc writes it. */
const HEADING = /^# (?:([A-Z][\w ]*): )?(.*)\n/;

/** The kinds of exports that are values. All others are types. */
const VALUES = ['Function', 'Class', 'Variable'];

/** The import specifier of each folder of the reference: `reference/client/redis` is `@confab/client/redis`. */
export const namesOfModules = (pages: readonly string[]): ReadonlyMap<string, string> =>
  new Map(
    pages
      .filter((page) => /^reference\/.+\/index\.md$/.test(page))
      .map((page) => posix.dirname(page))
      .map((folder) => [folder, folder.replace('reference/', '@confab/')]),
  );

/** Gives a page of the reference a title that is unique on the site, and says how to import what it describes. */
export const introduce = (
  page: string,
  markdown: string,
  modules: ReadonlyMap<string, string>,
): { readonly title: string; readonly markdown: string } => {
  const [heading = '', kind, name = ''] = HEADING.exec(markdown) ?? [];
  const module = modules.get(posix.dirname(posix.dirname(page)));
  if (page === 'reference/index.md') {
    const text = 'Every export of the three packages. Functions and classes have an example.';
    return { title: 'Reference', markdown: markdown.replace(HEADING, `# Reference\n\n${text}\n`) };
  }
  if (kind === undefined || module === undefined) {
    return { title: `${name} reference`, markdown };
  }
  const plain = name.replace(/\(\)$|\\?<.*$/, '');
  const code = VALUES.includes(kind)
    ? `import { ${plain} } from '${module}';`
    : `import type { ${plain} } from '${module}';`;
  return {
    title: `${name.replaceAll('\\', '')} · ${module}`,
    markdown: `# ${name}\n\n\`\`\`ts\n${code}\n\`\`\`\n\n${markdown.slice(heading.length).trimStart()}`,
  };
};
