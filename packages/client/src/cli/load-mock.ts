import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { UsageError } from '@confab/internal/cli';
import type { ClientOptions } from '../options/client-options.ts';

interface MockModule {
  createMock(options: object): { readonly clientOptions: ClientOptions };
}

/** In a variable: the mock depends on this package, so this package can't depend on the mock. */
const MOCK = '@confab/mock';

const isMissing = (error: unknown): boolean =>
  /^(?:ERR_MODULE_NOT_FOUND|MODULE_NOT_FOUND)$/.test(String((error as NodeJS.ErrnoException).code)) &&
  String((error as Error).message).includes(`'${MOCK}'`);

const importMock = async (): Promise<MockModule> => {
  try {
    return await import(MOCK);
  } catch (error) {
    if (!isMissing(error)) {
      throw error;
    }
  }
  // Package managers such as pnpm let this package see its own dependencies only, but the project may have the mock.
  const { resolve } = createRequire(join(process.cwd(), 'package.json'));
  return import(pathToFileURL(resolve(MOCK)).href);
};

/**
 * Creates a mock in memory, and returns the options of a client that calls it.
 *
 * @throws {@link UsageError} When the package of the mock is not installed.
 */
export const loadMock = async (): Promise<ClientOptions> => {
  try {
    const { createMock } = await importMock();
    return createMock({ data: 'demo', clock: 'system' }).clientOptions;
  } catch (error) {
    if (!isMissing(error)) {
      throw error;
    }
    throw new UsageError(
      `--mock needs the package ${MOCK}. Install it with npm install --save-dev ${MOCK}, or run npx --package @confab/client --package ${MOCK} confab … --mock.`,
    );
  }
};
