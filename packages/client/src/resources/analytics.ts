import { isDate, isPlainObject } from '@confab/internal';
import type { ApiPromise } from '../call/api-promise.ts';
import type { CallById } from '../call/call.ts';
import type { Funnel } from '../contract/types.ts';
import type { CallOptions } from '../options/client-options.ts';

/** The time range of a funnel. */
export interface FunnelRange {
  /**
   * Start of the range: a `Date`, or an RFC 3339 date-time such as `2026-01-31T12:00:00Z`.
   *
   * @default chosen by the service
   */
  from?: Date | string | undefined;
  /**
   * End of the range: a `Date`, or an RFC 3339 date-time such as `2026-01-31T12:00:00Z`.
   *
   * @default chosen by the service
   */
  to?: Date | string | undefined;
}

/** Analytics. */
export interface Analytics {
  /**
   * Counts the leads that reached each step of the funnel within a time range.
   *
   * @throws An {@link InvalidRequestError} when `from` or `to` is not a valid time.
   * @throws A {@link ConfabError} when the call fails.
   * @example
   * ```ts
   * const { conversionRate } = await confab.analytics.funnel({ from: new Date('2026-01-01') });
   * ```
   */
  funnel(range?: FunnelRange, options?: CallOptions): ApiPromise<Funnel>;
}

/** An invalid `Date` has no ISO string; it becomes the text `Invalid Date`, which the contract's check refuses. */
const toIso = (value: Date | string | undefined): string | undefined =>
  (isDate(value) && value.toJSON()) || (value && String(value));

/** @internal */
export const createAnalytics = (callById: CallById): Analytics => ({
  funnel: (range, options) =>
    callById(
      'analytics.funnel',
      {
        // Anything but a plain object is passed on, so that the contract's check refuses it.
        query:
          range && isPlainObject(range) ? { ...range, from: toIso(range.from), to: toIso(range.to) } : range,
      },
      options,
    ),
});
