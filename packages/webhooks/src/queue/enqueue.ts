import type { VerifiedDelivery } from '../dedupe/dedupe-options.ts';
import type { KeyOf } from '../dedupe/key-of.ts';
import { naming } from '../errors/naming.ts';
import { WebhookConfigurationError } from '../errors/webhook-configuration-error.ts';
import { functionOf } from '../options/check-values.ts';
import { headerName } from '../signature/signature-options.ts';
import type { Delivery } from './delivery.ts';

/** What `enqueue` receives in addition to the delivery. */
export interface EnqueueContext {
  /**
   * Keeps a Worker alive until the promise settles, after the response was sent. On other hosts the work continues in the
   * background. A rejection is reported to `onError`.
   */
  readonly waitUntil: (work: Promise<unknown>) => void;
  /**
   * Aborts when the sender disconnects before the response, on frameworks that report it. Neither `enqueue` nor a handler
   * has a time limit.
   */
  readonly signal: AbortSignal;
}

/** Puts a delivery into a queue. The response is 2xx once the promise resolves, and 500 if it rejects. */
export type Enqueue = (delivery: Delivery, context: EnqueueContext) => Promise<unknown>;

/** Turns a verified delivery into JSON, and puts it into the user's queue. */
export type EnqueueStep = (verified: VerifiedDelivery, context: EnqueueContext) => Promise<void>;

/**
 * Creates the step that replaces the handlers.
 *
 * @param names The names of the headers that a delivery keeps.
 * @throws {@link WebhookConfigurationError} When an option is invalid.
 */
export const createEnqueue = (
  enqueue: Enqueue,
  names: readonly string[] = [],
  keyOf: KeyOf,
  now: () => number,
): EnqueueStep => {
  functionOf(enqueue, 'enqueue');
  if (!Array.isArray(names)) {
    throw new WebhookConfigurationError(`deliveryHeaders must be a list, got ${typeof names}.`);
  }
  const kept = names.map((name) => headerName(name, 'deliveryHeaders'));
  return async (verified, context) => {
    const { event, data, headers } = verified;
    const delivery: Delivery = {
      id: (await keyOf(verified)) ?? crypto.randomUUID(),
      event,
      data,
      receivedAt: new Date(now()).toISOString(),
      headers: Object.fromEntries([...headers].filter(([name]) => kept.includes(name))),
    };
    await naming('enqueue', () => enqueue(delivery, context));
  };
};
