import { namesOf } from '@confab/internal';
import type { DedupeOptions } from './dedupe/dedupe-options.ts';
import type { EventSchemas } from './events/webhook-event.ts';
import type { Enqueue } from './queue/enqueue.ts';
import type { Secrets } from './signature/secret-list.ts';
import type { Signature } from './signature/signature-scheme.ts';

/** Options of `createWebhooks`. */
export interface WebhooksOptions<Extra extends EventSchemas = Record<never, never>> {
  /**
   * The secret, or a list of secrets while one replaces another. A string is used as its UTF-8 bytes, but as
   * base64 with `standardWebhooks()`. In a list, `undefined` is skipped, so the variable of the old secret may be unset
   * between rotations.
   */
  secret: Secrets;
  /**
   * The header and the format of the signature, or a scheme: `standardWebhooks()` or `timestamped()`. There is no
   * default, because the API does not document the header.
   */
  signature: Signature;
  /** The schemas of more events by name, from any Standard Schema library. `message.created` is built in. */
  events?: Extra | undefined;
  /**
   * The maximum size of a body in bytes. Larger bodies are refused while they are read, before any hashing.
   * @default 1_048_576
   */
  maxBodyBytes?: number | undefined;
  /** Runs the handlers only once for all deliveries of one event. Without it, redeliveries run them again. */
  dedupe?: DedupeOptions | undefined;
  /**
   * Puts a genuine delivery into a queue, in place of running the handlers: the response is 2xx once it resolves, and 500
   * if it rejects. A worker passes the delivery to `process`, which runs the handlers.
   */
  enqueue?: Enqueue | undefined;
  /**
   * The names of headers that a queued delivery keeps. The others are dropped, because queues are readable.
   * @default []
   */
  deliveryHeaders?: readonly string[] | undefined;
  /**
   * Returns the current time in milliseconds since 1970. Timestamps and the default store of `dedupe` depend on it.
   * @default Date.now
   */
  now?: (() => number) | undefined;
}

/** The field names of {@link WebhooksOptions}. */
export const OPTION_NAMES = /* @__PURE__ */ namesOf<WebhooksOptions>({
  secret: true,
  signature: true,
  events: true,
  maxBodyBytes: true,
  dedupe: true,
  enqueue: true,
  deliveryHeaders: true,
  now: true,
});

/** The default of `maxBodyBytes`. */
export const MIB = 1_048_576;
