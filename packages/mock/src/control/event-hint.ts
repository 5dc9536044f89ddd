import { closestName } from '@confab/internal';
import type { Delivery } from '../world/webhooks/delivery.ts';

/**
 * Says which events were delivered, if the one that a query asks for was not. An empty page is no error, because the event
 * may follow later: a caller that polls for it must not be refused.
 */
export const eventHint = (event: string, deliveries: readonly Delivery[]): string | undefined => {
  const events = [...new Set(['message.created', ...deliveries.map((delivery) => delivery.event)])];
  if (deliveries.some((delivery) => delivery.event === event) || event === 'message.created') {
    return undefined;
  }
  const meant = closestName(event, events);
  const suggestion = meant === undefined ? '' : ` Did you mean ${JSON.stringify(meant)}?`;
  return `No delivery has the event ${JSON.stringify(event)} yet.${suggestion} Known: ${events.join(', ')}.`;
};
