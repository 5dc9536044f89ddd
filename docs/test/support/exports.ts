import { fileURLToPath } from 'node:url';
import { ROOT, read } from './repository.ts';

/** Every specifier of a package that leads to TypeScript, with its source. */
const entries = (name: string): [specifier: string, source: string][] => {
  const { exports } = JSON.parse(read(`packages/${name}/package.json`)) as {
    exports: Record<string, { '@confab/source'?: string }>;
  };
  return Object.entries(exports).flatMap(([path, target]) => {
    const source = target['@confab/source'];
    return source?.endsWith('.ts')
      ? [[`@confab/${name}${path.slice(1)}`, new URL(`packages/${name}/${source}`, `file://${ROOT}`).href]]
      : [];
  });
};

/**
 * A declaration that makes exports of our packages global.
 *
 * @param only Names to declare; all of them if left out.
 */
export const declareExports = async (only?: readonly string[]): Promise<string> => {
  const lines = new Set<string>();
  for (const [specifier, source] of ['client', 'webhooks', 'mock'].flatMap(entries)) {
    // Their `test` and `expect` stand where those of the test runner do.
    if (specifier === '@confab/mock/vitest' || specifier === '@confab/mock/playwright') {
      continue;
    }
    for (const name of Object.keys((await import(fileURLToPath(source))) as object)) {
      if (only?.includes(name) ?? true) {
        lines.add(`const ${name}: (typeof import('${specifier}'))['${name}'];`);
      }
    }
  }
  return `declare global {\n${[...lines].join('\n')}\n}\nexport {};\n`;
};
