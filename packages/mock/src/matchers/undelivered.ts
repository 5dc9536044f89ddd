import { counted } from '../errors/check.ts';
import type { Delivery } from '../world/webhooks/delivery.ts';

const outcome = ({ attempts }: Delivery): string => {
  const last = attempts.at(-1);
  return `${counted(attempts.length, 'attempt')}: ${last?.status === undefined ? last?.error : `status ${last.status}`}`;
};

/** Explains why an event may not have been delivered, one reason per line. */
export const undelivered = (deliveries: readonly Delivery[], event: string): string[] => {
  if (deliveries.length === 0) {
    return ['no event was sent to any endpoint; mock.webhooks.add() adds one'];
  }
  const named = deliveries.filter((delivery) => delivery.event === event);
  const pending = named.filter(({ state }) => state === 'pending');
  const failed = named.filter(({ state }) => state === 'failed');
  const last = failed.at(-1);
  const others = new Set(
    deliveries.filter((delivery) => delivery.event !== event).map((other) => other.event),
  );
  return [
    ...(pending.length > 0 ? [`${pending.length} pending: await mock.webhooks.flush() first`] : []),
    ...(last ? [`${failed.length} failed, the last one after ${outcome(last)}`] : []),
    ...(others.size > 0 ? [`other events: ${[...others].join(', ')}`] : []),
  ];
};
