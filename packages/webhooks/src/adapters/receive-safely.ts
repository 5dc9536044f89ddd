import type { WebhookResponse } from '../receive/webhook-response.ts';
import { webhookResponse } from '../receive/webhook-response.ts';

/**
 * Returns the response of a receiver, or a 500 response if it rejects. Our receiver never rejects, but one of the user's
 * own, or a wrapped request, might. On node:http, an unhandled rejection would end the process.
 */
export const receiveSafely = async (receive: () => Promise<WebhookResponse>): Promise<WebhookResponse> => {
  try {
    return await receive();
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error));
    return webhookResponse(500, { error: 'HANDLER_FAILED' });
  }
};
