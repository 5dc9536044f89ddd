import { entryPoints } from '../content/entry-points.ts';
import { PACKAGES } from '../content/sources.ts';
import { linkAcrossEntries, nameAsUsersDo, showFields, validateEachPackage } from './typedoc-plugin.js';

export default {
  name: 'confab',
  plugin: [
    'typedoc-plugin-markdown',
    nameAsUsersDo(new Map(entryPoints.map(([specifier, source]) => [source, specifier]))),
    showFields,
    linkAcrossEntries,
    validateEachPackage(PACKAGES.map((name) => `@confab/${name}`)),
  ],
  tsconfig: 'tsconfig.json',
  entryPoints: entryPoints.map(([, source]) => source),
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
  // Members that a class inherits from Error are documented elsewhere.
  excludeExternals: true,
  // `pnpm types` checks for errors.
  skipErrorChecking: true,
  // Links to the source need a public address, which does not exist yet.
  disableSources: true,
};
