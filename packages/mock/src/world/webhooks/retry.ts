import { untilEndOfCalendar } from '../clock/clock.ts';
import type { Attempt, Delivery } from './delivery.ts';
import type { AddedEndpoint } from './endpoints.ts';

/** A delivery that is not finished. */
export interface PendingDelivery {
  readonly delivery: Delivery;
  readonly endpoint: AddedEndpoint;
  /** The time of its next attempt, in milliseconds since 1970. */
  readonly dueAt: number;
}

/**
 * Decides what follows an attempt: nothing after a 2xx response or after the last attempt, and otherwise another attempt
 * when the next pause of the endpoint's `retries` is over. The function is pure.
 *
 * @param now Milliseconds since 1970.
 * @returns The delivery with the attempt, and what is left to do.
 */
export const afterAttempt = (
  { delivery, endpoint }: PendingDelivery,
  attempt: Attempt,
  now: number,
): { readonly delivery: Delivery; readonly left: PendingDelivery | undefined } => {
  const { status } = attempt;
  const attempts = [...delivery.attempts, attempt];
  if (status !== undefined && status >= 200 && status < 300) {
    return { delivery: { ...delivery, attempts, state: 'delivered' }, left: undefined };
  }
  const pause = endpoint.retries[delivery.attempts.length];
  if (pause === undefined) {
    return { delivery: { ...delivery, attempts, state: 'failed' }, left: undefined };
  }
  const tried: Delivery = { ...delivery, attempts, state: 'pending' };
  return { delivery: tried, left: { delivery: tried, endpoint, dueAt: untilEndOfCalendar(now + pause) } };
};
