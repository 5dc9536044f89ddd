import { WebhookConfigurationError } from '../errors/webhook-configuration-error.ts';
import type { Receiver } from '../receive/receive.ts';

/**
 * Refuses anything but a receiver when the handler is made, rather than at the first delivery.
 *
 * @throws {@link WebhookConfigurationError}
 */
export const checkReceiver = (adapter: string, webhooks: Receiver): void => {
  if (typeof webhooks?.receive !== 'function') {
    throw new WebhookConfigurationError(
      `${adapter} needs what createWebhooks() returns, not ${webhooks === null ? 'null' : typeof webhooks}.`,
    );
  }
};
