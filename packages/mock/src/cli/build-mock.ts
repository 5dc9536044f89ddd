import { UsageError } from '@confab/internal/cli';
import { createMock, createMockWithKey } from '../create-mock.ts';
import type { Mock } from '../mock.ts';
import { randomKey } from '../server/served-worlds.ts';
import type { MockOptions } from '../world/options.ts';
import type { MockData } from '../world/store/store.ts';
import type { World } from '../world/world.ts';
import { isExposed } from './banner.ts';
import { findWarnings, readData } from './data-file.ts';
import { loadFrom, parseJson, readRequired } from './files.ts';
import type { Flags } from './flags.ts';

/** Reads the file of `--config`: options of `createMock`, as JSON. */
const readConfig = (path: string): MockOptions => {
  const options = parseJson(
    path,
    readRequired('--config must be the path of a JSON file', path),
  ) as MockOptions;
  const refused = ['baseUrl', 'clock', 'data'].find((name) => Object.hasOwn(Object(options), name));
  if (refused !== undefined) {
    throw new UsageError(
      `Cannot load ${path}: \`${refused}\` is not an option of the command. Use --host and --port, --clock or --data instead.`,
    );
  }
  loadFrom(path, () => createMock(options));
  return options;
};

/**
 * Creates the key that the banner shows. A key from `--key` becomes the only valid one. Otherwise the keys of `--config`
 * stay valid, and the key is random if other machines can reach the server.
 */
const createKey = (mock: Mock, flags: Flags): string => {
  const { scopes, key = isExposed(flags) ? randomKey() : mock.apiKey } = flags;
  const replaced = flags.key === undefined ? [mock.apiKey] : mock.keys.list().map(({ id }) => id);
  for (const each of replaced) {
    mock.keys.revoke(each);
  }
  return mock.keys.create({ key, scopes }).key;
};

/** The mock of the command. */
export interface BuiltMock {
  readonly mock: Mock;
  readonly world: World;
  readonly key: string;
  /** The ids of the faults that flags plan. */
  readonly flagFaults: ReadonlySet<string>;
  /** Probable mistakes in the file of `--data`. */
  readonly warnings: readonly string[];
}

/**
 * Creates the mock that the flags describe.
 *
 * @param saved The data of the state file, which replaces that of `--data`.
 * @throws A {@link UsageError} when a file is invalid.
 * @throws A {@link MockError} `INVALID_ARGUMENT`, when a flag is invalid.
 */
export const buildMock = async (flags: Flags, saved?: MockData): Promise<BuiltMock> => {
  const { clock, fault = [], webhook = [], webhookSecret = '' } = flags;
  // Both files are always read: otherwise an invalid one would go unnoticed until the state file is deleted.
  const config = flags.config === undefined ? {} : readConfig(flags.config);
  const data = await readData(flags.data);
  const { seed = config.seed, latency = config.latency, rateLimit = config.rateLimit } = flags;
  const options = {
    ...config,
    seed,
    latency,
    rateLimit,
    clock,
    data: saved ?? data,
  };
  const { mock, world } = loadFrom(saved === undefined ? flags.data : flags.state, () =>
    createMockWithKey(options),
  );
  const flagFaults = new Set(fault.map((plan) => world.faults.plan(plan)));
  for (const url of webhook) {
    mock.webhooks.add({ url, secret: webhookSecret });
  }
  const warnings = typeof data === 'string' || saved ? [] : findWarnings(flags.data, data);
  return { mock, world, key: createKey(mock, flags), flagFaults, warnings };
};
