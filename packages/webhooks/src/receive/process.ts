import { RETRY, WebhookError } from '../errors/webhook-error.ts';
import type { EventParser } from '../events/parse-event.ts';
import type { Delivery } from '../queue/delivery.ts';
import { afterResponseOf } from '../timing/after-response.ts';
import { asWebhookError } from './as-webhook-error.ts';
import type { RunHandlers } from './run-handlers.ts';

/** Options of `process`. */
export interface ProcessOptions {
  /** The signal that handlers receive. Nothing else depends on it. */
  signal?: AbortSignal | undefined;
}

/** Creates the steps of a queued delivery: event, dedupe, handlers. */
export const createProcess =
  (parser: EventParser, runHandlers: RunHandlers) =>
  async (
    delivery: Delivery,
    { signal = new AbortController().signal }: ProcessOptions = {},
  ): Promise<void> => {
    try {
      const event = await parser.validate(parser.check(delivery));
      const { id } = delivery;
      const headers = new Headers(delivery.headers);
      const context = { id, headers, signal, body: undefined, secretIndex: undefined };
      if (!(await runHandlers(event, context, { keyOf: async () => id, after: afterResponseOf() }))) {
        throw new WebhookError('STILL_RUNNING', `Another run of this delivery has not ended. ${RETRY}`);
      }
    } catch (error) {
      throw asWebhookError(error);
    }
  };
