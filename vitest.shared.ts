import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Tests read each package's source, so that none can pass against a stale build. */
const conditions = ['@confab/source'];

/** What every package's tests share; a package's own `vitest.config.ts` starts from it. */
export const shared = defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    setupFiles: [fileURLToPath(new URL('vitest.seed.ts', import.meta.url))],
    include: ['test/**/*.test.ts', 'src/**/*.test.ts'],
    // Without this, vitest leaves one core to itself: of two, that is half of the machine. Projects don't inherit it.
    maxWorkers: '100%',
    // A machine that has other things to do is slow, not wrong.
    testTimeout: 30_000,
  },
});
