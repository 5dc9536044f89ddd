import { join } from 'node:path';
import { ROOT, read } from './repository.ts';
import { PACKAGES } from './sources.ts';

/** The import specifiers of the packages, each with its source file. */
export const entryPoints = PACKAGES.flatMap((name) => {
  const { exports } = JSON.parse(read(`packages/${name}/package.json`)) as {
    exports: Record<string, { '@confab/source'?: string }>;
  };
  return Object.entries(exports)
    .map(([path, target]) => [`@confab/${name}${path.slice(1)}`, target['@confab/source'] ?? ''] as const)
    .filter(([, source]) => source.endsWith('.ts'))
    .map(([specifier, source]) => [specifier, join(ROOT, 'packages', name, source)] as const);
});
