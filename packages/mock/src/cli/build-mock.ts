import { UsageError } from '@confab/internal/cli';
import { createMock } from '../create-mock.ts';
import { CollectionError } from '../errors/mock-error.ts';
import type { Mock } from '../mock.ts';
import { randomKey } from '../server/served-worlds.ts';
import type { FaultPlan } from '../world/faults/fault.ts';
import { planFault } from '../world/faults/faults.ts';
import type { MockOptions } from '../world/options.ts';
import type { CompleteMockData, MockData } from '../world/store/store.ts';
import { isExposed } from './banner.ts';
import { readData } from './data-file.ts';
import { loadFrom } from './files.ts';
import type { Flags } from './flags.ts';
import { usageErrorOf } from './flags.ts';
import { readConfig } from './read-config.ts';

/** The only valid key: that of the flags, or the mock's own, or a random one if other machines can reach the server. */
const keyOf = (mock: Mock, flags: Flags): string => {
  const { scopes, key = isExposed(flags) ? randomKey() : mock.apiKey } = flags;
  mock.keys.revoke(mock.apiKey);
  return mock.keys.create({ key, scopes }).key;
};

/** The latest date-time in any row, in milliseconds since 1970; 0 if there are no rows. */
const latestMoment = (data: CompleteMockData): number =>
  Object.values(data)
    .flat()
    .flatMap((row) => Object.entries(row))
    .filter(([field, value]) => field.endsWith('At') && value !== null)
    .reduce((latest, [, value]) => Math.max(latest, Date.parse(String(value))), 0);

interface BuiltMock {
  readonly mock: Mock;
  readonly key: string;
  /** The faults that the file of `--data` plans, as it has them. */
  readonly filePlans: readonly FaultPlan[];
  /** The ids of these faults, which come before all others. */
  readonly fileFaults: readonly string[];
  /** What is probably a mistake in that file. */
  readonly warnings: readonly string[];
}

/**
 * Creates the mock that the flags describe.
 *
 * @param saved Rows that take precedence over those of `--data`.
 * @throws {@link UsageError} When a flag or a row is invalid.
 */
export const buildMock = async (flags: Flags, saved?: MockData): Promise<BuiltMock> => {
  const { clock, fault = [], webhook = [], webhookSecret = '' } = flags;
  // Read in any case: otherwise an invalid file would go unnoticed until the state file is deleted.
  const config: MockOptions = flags.config === undefined ? {} : readConfig(flags.config);
  const { rows, faults: filePlans, warnings } = await readData(flags.data);
  const data = saved ?? rows;
  try {
    const { seed = config.seed, latency = config.latency, rateLimit = config.rateLimit } = flags;
    const mock = createMock({ ...config, seed, latency, rateLimit, data, clock });
    const fileFaults = filePlans.map((plan, at) =>
      loadFrom(`faults[${at}] of ${flags.data}`, () => planFault(mock.faults, plan)),
    );
    for (const planned of fault) {
      mock.faults.always(planned.target, planned.fault);
    }
    for (const url of webhook) {
      mock.webhooks.add({ url, secret: webhookSecret });
    }
    const latest = clock === 'virtual' && typeof data !== 'string' ? latestMoment(mock.dump()) : 0;
    if (latest >= mock.clock.now()) {
      // Otherwise new rows would be older than those of the file, and would follow them in every list.
      await mock.clock.set(latest + 1);
    }
    return { mock, key: keyOf(mock, flags), filePlans, fileFaults, warnings };
  } catch (error) {
    if (error instanceof CollectionError) {
      const file = saved === undefined ? flags.data : flags.state;
      throw new UsageError(`Cannot load ${file}: ${error.message}`);
    }
    throw usageErrorOf(error, flags);
  }
};
