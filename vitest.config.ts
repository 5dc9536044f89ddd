import { globSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { defineConfig, mergeConfig } from 'vitest/config';

/** Tests read each package's source, so that none can pass against a stale build. */
const conditions = ['@confab/source'];

/** What all tests share. The few runs with a configuration of their own, listed in test/README.md, start from it. */
export const shared = defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    setupFiles: [join(import.meta.dirname, 'test/seed.ts')],
    // Without this, vitest leaves one core to itself: of two, that is half of the machine.
    maxWorkers: '100%',
    // A machine that has other things to do is slow, not wrong.
    testTimeout: 30_000,
    // Some tests start processes.
    expect: { poll: { timeout: 10_000 } },
  },
});

/** Everything below `test/` is a test there; elsewhere, tests lie in `test/` or beside the source. */
const include = (folder: string): string[] =>
  folder === 'test' ? ['**/*.test.ts'] : ['test/**/*.test.ts', 'src/**/*.test.ts'];

const manifests = globSync('{packages,examples}/*/package.json', { cwd: import.meta.dirname });
const folders = ['docs', 'test', ...manifests.map((path) => dirname(path))];

/** One project for each folder, named after it: `vitest run --project client`. */
export default mergeConfig(
  shared,
  defineConfig({
    test: {
      projects: folders.map((folder) => ({
        extends: true,
        root: join(import.meta.dirname, folder),
        test: { name: basename(folder), include: include(folder) },
      })),
    },
  }),
);
