import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { linkAcrossEntries, nameAsUsersDo, showFields, validateEachPackage } from './typedoc-plugin.js';

const packages = ['client', 'webhooks', 'mock'];

const root = new URL('../../../', import.meta.url);

/** Import specifiers, by the source file they resolve to. */
const namesBySource = new Map(
  packages.flatMap((name) => {
    const { exports } = JSON.parse(readFileSync(new URL(`packages/${name}/package.json`, root), 'utf8'));
    return Object.entries(exports)
      .map(([path, target]) => [target['@confab/source'], `@confab/${name}${path.slice(1)}`])
      .filter(([source]) => source?.endsWith('.ts'))
      .map(([source, specifier]) => [fileURLToPath(new URL(`packages/${name}/${source}`, root)), specifier]);
  }),
);

export default {
  name: 'confab',
  plugin: [
    'typedoc-plugin-markdown',
    nameAsUsersDo(namesBySource),
    showFields,
    linkAcrossEntries,
    validateEachPackage(packages.map((name) => `@confab/${name}`)),
  ],
  tsconfig: 'tsconfig.json',
  entryPoints: [...namesBySource.keys()],
  readme: 'none',
  out: '../pages/reference',
  router: 'member',
  entryFileName: 'index',
  excludeScopesInPaths: true,
  hidePageHeader: true,
  hideBreadcrumbs: true,
  useCodeBlocks: true,
  expandObjects: true,
  parametersFormat: 'table',
  indexFormat: 'table',
  groupOrder: ['Functions', 'Classes', 'Variables', 'Interfaces', 'Type Aliases'],
  treatWarningsAsErrors: true,
  excludeInternal: true,
  // What a class inherits from Error is documented elsewhere.
  excludeExternals: true,
  // `pnpm types` checks for errors.
  skipErrorChecking: true,
  // Links to the source need a public address, which does not exist yet.
  disableSources: true,
};
