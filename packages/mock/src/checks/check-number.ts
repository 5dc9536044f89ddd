import { invalidArgument } from '../errors/invalid-argument.ts';
import { shown } from './shown.ts';

/** 100 years: a longer wait would leave the calendar of the clock, and never end. */
const LONGEST_WAIT = 100 * 365.25 * 24 * 60 * 60 * 1000;

/**
 * Checks a number of milliseconds to wait.
 *
 * @param name What messages call it: `` `latency` ``.
 * @throws {@link MockError} `INVALID_ARGUMENT`, when it is negative, longer than 100 years, or no number.
 */
export const checkWait = (name: string, ms: number): void => {
  if (typeof ms === 'number' && ms > LONGEST_WAIT) {
    throw invalidArgument(`${name} must be milliseconds (at most 100 years), got ${shown(ms)}`);
  }
  if (!(typeof ms === 'number' && ms >= 0)) {
    throw invalidArgument(`${name} must be milliseconds (0 or more), got ${shown(ms)}`);
  }
};

/**
 * Checks a whole number.
 *
 * @param name What messages call it: `` `limit` ``.
 * @throws {@link MockError} `INVALID_ARGUMENT`, when it is not a whole number within the bounds.
 */
export const checkWhole = (
  name: string,
  value: number,
  min: number,
  max = Number.POSITIVE_INFINITY,
): void => {
  if (Number.isInteger(value) && value >= min && value <= max) {
    return;
  }
  const bounds = max === Number.POSITIVE_INFINITY ? `(${min} or more)` : `from ${min} to ${max}`;
  throw invalidArgument(`${name} must be a whole number ${bounds}, got ${shown(value)}`);
};
