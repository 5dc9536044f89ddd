import { limitToCalendar } from '../clock/clock.ts';
import type { Attempt, ScheduledDelivery } from './delivery.ts';

/**
 * Adds an attempt to a delivery. After a 2xx response or the last attempt, the delivery has ended. Otherwise, it is due
 * again after the next pause of the endpoint's `retries`.
 *
 * @param now Milliseconds since 1970.
 */
export const afterAttempt = (
  { delivery, endpoint }: ScheduledDelivery,
  attempt: Attempt,
  now: number,
): ScheduledDelivery => {
  const { status } = attempt;
  const isDelivered = status !== undefined && status >= 200 && status < 300;
  const pause = endpoint.retries[delivery.attempts.length];
  const attempts = [...delivery.attempts, attempt];
  if (isDelivered || pause === undefined) {
    const state = isDelivered ? 'delivered' : 'failed';
    return { delivery: { ...delivery, attempts, state }, endpoint, dueAt: now };
  }
  return { delivery: { ...delivery, attempts }, endpoint, dueAt: limitToCalendar(now + pause) };
};
