import type { Check } from '../../errors/check.ts';
import { arrayOf, integerBetween, isWait } from '../../errors/check.ts';
import { limitToCalendar } from '../clock/clock.ts';

/** Milliseconds to wait before each retry of a delivery, unless its endpoint has `retries` of its own. */
export const DEFAULT_RETRIES: readonly number[] = [1_000, 5_000, 30_000, 120_000, 600_000];

/** Limited, because a delivery keeps all its attempts. */
const MAX_RETRIES = 100;

/** Accepts the pauses of an endpoint. */
export const areRetries: Check = (name, value) =>
  arrayOf('an array of milliseconds, such as [100, 1_000]', isWait)(name, value) ??
  integerBetween(0, MAX_RETRIES)(`${name}.length`, (value as readonly number[]).length);

/**
 * Returns when to retry a delivery after a failed attempt, in milliseconds since 1970; `undefined` after the last attempt.
 *
 * @param retries The pauses of the endpoint.
 * @param failed How many attempts have failed.
 */
export const findRetryTime = (
  retries: readonly number[],
  failed: number,
  now: number,
): number | undefined => {
  const pause = retries[failed - 1];
  return pause === undefined ? undefined : limitToCalendar(now + pause);
};
