import { UsageError } from '@confab/internal/cli';
import { MockError } from '../errors/mock-error.ts';
import { toBehavior } from '../world/complete-behavior.ts';
import type { MockOptions } from '../world/options.ts';
import { checkOptions } from '../world/options.ts';
import { parseJson, readNamed } from './files.ts';

/** Options for which the command has a default of its own, or none. */
const BY_FLAG: Readonly<Record<string, string>> = {
  baseUrl: 'Use --host and --port instead.',
  clock: 'Use --clock instead.',
  data: 'Use --data instead.',
};

/**
 * Reads the file of `--config`: options of `createMock`, as JSON.
 *
 * @throws {@link UsageError} When the file does not exist, is not JSON, or has an option that is unknown or invalid.
 */
export const readConfig = (path: string): MockOptions => {
  const text = readNamed('--config must be the path of a JSON file', path, undefined, { strict: true });
  const options = parseJson(path, text) as MockOptions;
  try {
    checkOptions(options);
    toBehavior(options.behavior);
  } catch (error) {
    throw error instanceof MockError ? new UsageError(`Cannot load ${path}: ${error.message}`) : error;
  }
  const named = Object.keys(options).find((name) => Object.hasOwn(BY_FLAG, name));
  if (named !== undefined) {
    throw new UsageError(
      `Cannot load ${path}: \`${named}\` is not an option of the command. ${BY_FLAG[named]}`,
    );
  }
  return options;
};
