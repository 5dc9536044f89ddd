import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { UsageError } from '@confab/internal/cli';
import type { ClientOptions } from '../index.ts';

interface MockModule {
  createMock(options: object): { readonly clientOptions: ClientOptions };
}

const MOCK = '@confab/mock';

/**
 * Also looks in the project, because package managers such as pnpm hide all but its own dependencies from this package.
 */
const findMock = (): string => {
  for (const place of [import.meta.url, join(process.cwd(), 'package.json')]) {
    try {
      return pathToFileURL(createRequire(place).resolve(MOCK)).href;
    } catch {
      // It is not installed there.
    }
  }
  throw new UsageError(
    `--mock needs the package ${MOCK}. Install it with npm install --save-dev ${MOCK}, or run npx --package @confab/client --package ${MOCK} confab … --mock.`,
  );
};

/**
 * Creates a mock in memory, and returns the options of a client that calls it.
 *
 * @throws A {@link UsageError} when the package of the mock is not installed.
 */
export const loadMock = async (): Promise<ClientOptions> => {
  const { createMock }: MockModule = await import(findMock());
  return createMock({ data: 'demo', clock: 'system' }).clientOptions;
};
