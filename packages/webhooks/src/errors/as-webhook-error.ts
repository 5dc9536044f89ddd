import { RETRY, WebhookError } from './webhook-error.ts';

/**
 * Wraps what the user's own code throws.
 *
 * @param what The part that failed, for the message.
 */
export const asWebhookError = (error: unknown, what = 'The receiver'): WebhookError =>
  error instanceof WebhookError
    ? error
    : new WebhookError('HANDLER_FAILED', `${what} failed; see the cause. ${RETRY}`, { cause: error });
