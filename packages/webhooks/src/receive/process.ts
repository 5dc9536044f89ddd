import { typeName } from '@confab/internal';
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

/** What identifies a queued delivery. It is read before anything else, because no retry mends a job without it. */
const readIdentity = (delivery: Delivery): { readonly id: string; readonly headers: Headers } => {
  try {
    const { id, headers } = delivery;
    if (id && typeof id === 'string' && typeName(headers) === 'an object') {
      return { id, headers: new Headers(headers) };
    }
  } catch {
    // Null, or the name of a header is invalid.
  }
  throw new WebhookError(
    'INVALID_EVENT',
    `process() must be called with the Delivery that enqueue received, got ${typeName(delivery)} without an id or headers.`,
  );
};

/**
 * Creates the steps of a queued delivery: event, dedupe, handlers.
 *
 * @param checkWorker Throws if `enqueue` replaces the handlers, because the job would be lost.
 */
export const createProcess =
  (parser: EventParser, runHandlers: RunHandlers, checkWorker: () => void) =>
  async (delivery: Delivery, options?: ProcessOptions | null): Promise<void> => {
    checkWorker();
    try {
      const { id, headers } = readIdentity(delivery);
      const event = await parser.validate(parser.check(delivery));
      const signal = options?.signal ?? new AbortController().signal;
      const context = { id, headers, signal };
      if (!(await runHandlers(event, context, { keyOf: async () => id, after: afterResponseOf() }))) {
        throw new WebhookError('STILL_RUNNING', `Another run of this delivery has not ended. ${RETRY}`);
      }
    } catch (error) {
      throw asWebhookError(error);
    }
  };
