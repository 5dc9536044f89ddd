import type { Funnel } from '../contract/types/index.ts';
import type { CallOptions } from '../options/options.ts';
import type { ApiPromise } from '../transport/api-promise.ts';
import type { Requester } from '../transport/transport.ts';

/** The time range of a funnel. */
export interface FunnelRange {
  /** A date, or an ISO 8601 string with an offset. */
  from?: Date | string | undefined;
  /** A date, or an ISO 8601 string with an offset. */
  to?: Date | string | undefined;
}

/** Analytics. */
export interface Analytics {
  /**
   * Reads how many leads reached each step within a range of time; the service chooses one if left out.
   *
   * @example
   * ```ts
   * const { conversionRate } = await confab.analytics.funnel({ from: new Date('2026-01-01') });
   * ```
   */
  funnel(range?: FunnelRange, options?: CallOptions): ApiPromise<Funnel>;
}

/** An invalid `Date` has no ISO string: it is left as it is, and the contract's check says what is wrong. */
const toIso = (value: Date | string | undefined): unknown =>
  value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : value;

export const createAnalytics = ({ send }: Requester): Analytics => ({
  funnel: (range, options) =>
    send(
      'analytics.funnel',
      { query: range && { ...range, from: toIso(range.from), to: toIso(range.to) } },
      options,
    ),
});
