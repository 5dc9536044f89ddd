import { typeName } from '@confab/internal';
import { WebhookConfigurationError } from '../errors/webhook-configuration-error.ts';
import type { Receiver } from '../receive/receive.ts';

/**
 * Refuses anything but a receiver when the adapter is created, instead of at the first delivery.
 *
 * @throws {@link WebhookConfigurationError} When it is not a receiver.
 */
export const checkReceiver = (adapter: string, webhooks: Receiver): void => {
  if (typeof webhooks?.receive !== 'function') {
    throw new WebhookConfigurationError(
      `${adapter} must be called with a receiver from createWebhooks(), got ${typeName(webhooks)}.`,
    );
  }
};
