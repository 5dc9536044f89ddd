import { UsageError } from '@confab/internal/cli';
import { toBehavior } from '../world/complete-behavior.ts';
import type { MockOptions } from '../world/options.ts';
import { checkOptions } from '../world/options.ts';
import { loadFrom, parseJson, readNamed } from './files.ts';

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
  const named = Object.keys(Object(options)).find((name) => Object.hasOwn(BY_FLAG, name));
  if (named !== undefined) {
    throw new UsageError(
      `Cannot load ${path}: \`${named}\` is not an option of the command. ${BY_FLAG[named]}`,
    );
  }
  loadFrom(path, () => {
    checkOptions(options);
    toBehavior(options.behavior);
  });
  return options;
};
