import type { WebhookResponse } from '../receive/webhook-response.ts';
import { webhookResponse } from '../receive/webhook-response.ts';

/**
 * What a receiver answers. Ours does not reject; one of the user's own, or a wrapped request, may, and on node:http
 * nobody would catch that: the process would end.
 */
export const answerOf = async (receive: () => Promise<WebhookResponse>): Promise<WebhookResponse> => {
  try {
    return await receive();
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error));
    return webhookResponse(500, { error: 'HANDLER_FAILED' });
  }
};
