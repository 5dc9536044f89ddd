import { RETRY, WebhookError } from '../errors/webhook-error.ts';

/** Wraps what the user's own code throws. */
export const asWebhookError = (error: unknown): WebhookError =>
  error instanceof WebhookError
    ? error
    : new WebhookError('HANDLER_FAILED', `A schema, dedupe or enqueue failed; see the cause. ${RETRY}`, {
        cause: error,
      });
