import { typeName } from '@confab/internal';
import { WebhookConfigurationError } from '../errors.ts';
import type { IncomingRequest, Receiver, WebhookResponse } from '../receive.ts';
import { createWebhookResponse } from '../receive.ts';

/**
 * Refuses anything but a receiver when the adapter is created, instead of at the first delivery.
 *
 * @throws A {@link WebhookConfigurationError} when `webhooks` is not a receiver.
 */
export const checkReceiver = (adapter: string, webhooks: Receiver): void => {
  if (typeof webhooks?.receive !== 'function') {
    throw new WebhookConfigurationError(
      `${adapter} must be called with a receiver from createWebhooks(), got ${typeName(webhooks)}.`,
    );
  }
};

/**
 * Returns the response of a receiver, or a 500 response if the receiver rejects. A receiver of `createWebhooks` never
 * rejects, but a user's own receiver might, and on node:http an unhandled rejection would end the process.
 *
 * @param read Reads the request of the framework. A request that the user has wrapped may throw.
 */
export const receiveSafely = async (
  webhooks: Receiver,
  read: () => IncomingRequest,
): Promise<WebhookResponse> => {
  try {
    return await webhooks.receive(read());
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error));
    return createWebhookResponse(500, { error: 'RECEIVER_FAILED' });
  }
};
