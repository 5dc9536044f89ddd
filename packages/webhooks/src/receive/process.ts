import { typeName } from '@confab/internal';
import { naming } from '../errors/naming.ts';
import { RETRY, WebhookError } from '../errors/webhook-error.ts';
import type { EventParser, Refuse } from '../events/parse-event.ts';
import { mustBe } from '../events/parse-event.ts';
import type { Delivery } from '../queue/delivery.ts';
import { afterResponseOf } from '../timing/after-response.ts';
import type { RunHandlers } from './run-handlers.ts';

/** Options of `process`. */
export interface ProcessOptions {
  /** The signal that handlers receive. Nothing else depends on it. */
  signal?: AbortSignal | undefined;
}

const notDelivery: Refuse = (problem) =>
  new WebhookError('INVALID_EVENT', `Pass a parsed Delivery, as in process(JSON.parse(job)): ${problem}.`);

/** What identifies a queued delivery. Without it, the job is refused for good, because no retry mends it. */
const readIdentity = ({ id, headers }: Delivery): { readonly id: string; readonly headers: Headers } => {
  if (!id || typeof id !== 'string') {
    throw notDelivery(`\`id\` must be a non-empty string, got ${typeName(id)}`);
  }
  try {
    // Stryker disable next-line StringLiteral: The error below replaces this one.
    mustBe('an object', headers, '', notDelivery);
    return { id, headers: new Headers(headers) };
  } catch {
    throw notDelivery('`headers` must be an object of headers');
  }
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
    const sent = parser.check(delivery, notDelivery);
    const { id, headers } = readIdentity(delivery);
    const event = await naming('A schema', () => parser.validate(sent));
    const signal = options?.signal ?? new AbortController().signal;
    const context = { id, headers, signal };
    if (!(await runHandlers(event, context, { keyOf: async () => id, after: afterResponseOf() }))) {
      throw new WebhookError('STILL_RUNNING', `This delivery is still running. ${RETRY}`);
    }
  };
