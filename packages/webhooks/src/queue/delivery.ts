/**
 * A genuine delivery as plain JSON, for a queue. It holds no secret, and no signature unless
 * `deliveryHeaders` names its header.
 *
 * @example
 * ```ts
 * import type { Delivery } from '@confab/webhooks';
 *
 * const jobs: Delivery[] = [];
 * const webhooks = createWebhooks({ secret, signature, enqueue: async (delivery) => void jobs.push(delivery) });
 * ```
 */
export interface Delivery {
  /**
   * The id by which `process` recognizes a delivery that it has handled: the signed id, or else the key of `dedupe` with
   * the SHA-256 of the body. Without either it is a random UUID, which only recognizes a job that the queue runs twice.
   */
  readonly id: string;
  /** The name of the event. */
  readonly event: string;
  /** The data of the event as it was sent. `process` validates it again, so schemas may transform it. */
  readonly data: unknown;
  /** When the delivery arrived, as an ISO 8601 date-time in UTC. */
  readonly receivedAt: string;
  /** The headers that the option `deliveryHeaders` names, under lowercase names. */
  readonly headers: Readonly<Record<string, string>>;
}
