import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Plugin } from 'vitepress';
import { emitDeclarations } from './declarations.ts';

/** Bundles the worker that runs programs, together with the three packages. */
const bundleRunner = async (): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('runner/main.ts', import.meta.url))],
    bundle: true,
    // In a frame without an origin, Chromium starts no worker that is a module.
    format: 'iife',
    platform: 'browser',
    target: 'es2023',
    conditions: ['@confab/source'],
    minify: true,
    // Messages show the names of classes.
    keepNames: true,
    write: false,
  });
  return outputFiles[0]?.text ?? '';
};

const MODULES: Readonly<Record<string, () => Promise<string>>> = {
  'virtual:playground/declarations': async () =>
    `export const declarations = ${JSON.stringify(emitDeclarations())};`,
  'virtual:playground/runner': async () => `export const runner = ${JSON.stringify(await bundleRunner())};`,
};

/** Keeps the CSS of the editor, a third of a megabyte, out of the one CSS file that VitePress loads on every page. */
const STYLE = '\0playground-style:';

const addStyle = (path: string): string =>
  `import css from ${JSON.stringify(`${path}?inline`)};
document.head.append(Object.assign(document.createElement('style'), { textContent: css }));`;

/** Provides the types and the code of the packages, built from their sources, and the CSS of the editor. */
export const playground = (): Plugin => ({
  name: 'confab-playground',
  enforce: 'pre',
  resolveId(source: string, importer?: string) {
    if (source.endsWith('.css') && importer?.includes('/monaco-editor/')) {
      return `${STYLE}${join(dirname(importer), source)}.js`;
    }
    return source in MODULES ? `\0${source}` : undefined;
  },
  load: (id: string) =>
    id.startsWith(STYLE) ? addStyle(id.slice(STYLE.length, -'.js'.length)) : MODULES[id.slice(1)]?.(),
});
