import type { Delivery } from '../world/webhooks/delivery.ts';

const outcome = ({ attempts }: Delivery): string => {
  const last = attempts.at(-1);
  const count = `${attempts.length} attempt${attempts.length === 1 ? '' : 's'}`;
  return `${count}: ${last?.status === undefined ? last?.error : `status ${last.status}`}`;
};

/** Why an event may not have been delivered, a line for each reason that there can be. */
export const undelivered = (deliveries: readonly Delivery[], event: string): string[] => {
  if (deliveries.length === 0) {
    return ['no event went to any endpoint; mock.webhooks.add() adds one'];
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
    ...(last ? [`${failed.length} given up, the last after ${outcome(last)}`] : []),
    ...(others.size > 0 ? [`events of other names: ${[...others].join(', ')}`] : []),
  ];
};
