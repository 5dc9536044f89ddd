import { isLoopback } from '@confab/internal';
import { UsageError } from '@confab/internal/cli';
import type { FaultPlan } from '../control/plan-fault.ts';
import { planFault } from '../control/plan-fault.ts';
import { createMock } from '../create-mock.ts';
import { MockError } from '../errors/mock-error.ts';
import type { Mock } from '../mock.ts';
import { randomKey } from '../server/worlds.ts';
import type { MockData } from '../world/store/store.ts';
import { latestMoment } from './latest-moment.ts';
import type { Flags } from './parse-flags.ts';
import { readData } from './rows-file.ts';

type Data = 'minimal' | 'demo' | MockData;

/** Whether other machines can reach the server. */
export const isExposed = ({ host }: Flags): boolean => !isLoopback(host);

/** The only valid key: that of the flags, or the mock's own, or a random one if other machines can reach the server. */
const keyOf = (mock: Mock, flags: Flags): string => {
  const { scopes, key = isExposed(flags) ? randomKey() : mock.apiKey } = flags;
  mock.keys.revoke(mock.apiKey);
  return mock.keys.create({ key, ...(scopes === undefined ? {} : { scopes }) }).key;
};

/** A MockError says what is wrong with the flags or the rows; anything else is a bug. */
const usageError = (error: unknown): unknown =>
  error instanceof MockError ? new UsageError(error.message) : error;

/** Otherwise new rows would be older than those of the file, and would follow them in every list. */
const passLatestRow = async (mock: Mock, { clock }: Flags): Promise<void> => {
  const latest = clock === 'virtual' ? latestMoment(mock.dump()) : undefined;
  if (latest !== undefined && latest >= mock.clock.now()) {
    await mock.clock.set(latest + 1);
  }
};

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
export const buildMock = async (flags: Flags, saved: MockData | undefined): Promise<BuiltMock> => {
  // Read in any case: otherwise an invalid file would go unnoticed until the state file is deleted.
  const named = await readData(flags.data);
  const data: Data = saved ?? named.rows;
  try {
    const mock = createMock({
      seed: flags.seed,
      data,
      clock: flags.clock,
      latency: flags.latency,
      ...(flags.rateLimit === undefined ? {} : { rateLimit: flags.rateLimit }),
    });
    const { faults: filePlans, warnings } = named;
    const fileFaults = filePlans.map((plan) => planFault(mock.faults, plan));
    for (const { target, fault } of flags.faults) {
      mock.faults.always(target, fault);
    }
    for (const url of flags.webhooks) {
      mock.webhooks.add({ url, secret: flags.webhookSecret ?? '' });
    }
    if (typeof data !== 'string') {
      await passLatestRow(mock, flags);
    }
    return { mock, key: keyOf(mock, flags), filePlans, fileFaults, warnings };
  } catch (error) {
    throw usageError(error);
  }
};
