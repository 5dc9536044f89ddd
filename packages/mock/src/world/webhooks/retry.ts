import { limitToCalendar } from '../clock/clock.ts';
import type { Attempt, ScheduledDelivery } from './delivery.ts';

/**
 * Decides what follows an attempt: nothing after a 2xx response or after the last attempt, and otherwise another attempt
 * when the next pause of the endpoint's `retries` is over. The function is pure.
 *
 * @param now Milliseconds since 1970.
 * @returns The delivery with the attempt. It is still pending if another one follows.
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
