import { readFileSync } from 'node:fs';
import type { Options } from 'tsup';
import { defineConfig } from 'tsup';
import { docsDefine } from '../../scripts/publishing/docs-base.ts';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

const shared: Options = {
  define: { CONFAB_CLIENT_VERSION: JSON.stringify(version), ...docsDefine() },
  format: 'esm',
  target: 'es2022',
  platform: 'neutral',
  // zod/mini is 90 files, and loading those takes Node longer than everything else.
  noExternal: ['zod'],
  treeshake: true,
};

export default defineConfig([
  {
    ...shared,
    entry: {
      index: 'src/index.ts',
      'contract/index': 'src/contract/index.ts',
      'ky/index': 'src/ky/index.ts',
      'redis/index': 'src/redis/index.ts',
      'opentelemetry/index': 'src/opentelemetry/index.ts',
    },
    sourcemap: true,
    // The other build writes there at the same time.
    clean: ['**/*', '!cli/**'],
  },
  {
    ...shared,
    // A program of its own, in one file: the entries above share chunks, and it would change what goes into them.
    outDir: 'dist/cli',
    entry: { confab: 'src/cli/confab.ts' },
    // It says whose licenses to publish, and is then removed.
    sourcemap: true,
    external: [/^node:/],
    noExternal: ['commander', 'csv-parse', 'libphonenumber-js', 'string-width', 'zod'],
    // Deno knows these by no other name.
    removeNodeProtocol: false,
    esbuildOptions(options) {
      options.alias = { stream: 'node:stream' };
      options.external = [...(options.external ?? []), 'node:stream'];
    },
    clean: true,
    splitting: false,
  },
]);
