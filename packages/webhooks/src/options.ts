import { anyValue, checkThat, integerFrom, isFunction, isObject } from '@confab/internal';
import { DEFAULT_MAX_BODY_BYTES } from './body.ts';
import type { DedupeOptions } from './dedupe/dedupe-options.ts';
import { createInbox } from './dedupe/dedupe-options.ts';
import type { Inbox } from './dedupe/inbox.ts';
import type { EventSchemas, SchemaMap } from './event.ts';
import { mergeSchemas } from './event.ts';
import { checkOptions } from './option-checks.ts';
import type { Enqueue, Queue } from './queue.ts';
import { isHeaderList } from './queue.ts';
import { createEqualDigests } from './signature/hmac.ts';
import { createSignatureReader } from './signature/plain.ts';
import type { Signature } from './signature/scheme.ts';
import type { SecretLookup, Secrets } from './signature/secret.ts';
import type { VerifySettings } from './signature/verify.ts';
import { prepareSecretOption } from './signature/verify.ts';

/** Options of `createWebhooks`. */
export interface WebhooksOptions<Extra extends EventSchemas = Record<never, never>, Tx = undefined> {
  /**
   * The secret, or a list of secrets while one replaces another. A string is used as its UTF-8 bytes, but as
   * base64 with `standardWebhooks()`. In a list, `undefined` is skipped, so the variable of the old secret may be unset
   * between rotations.
   *
   * A function finds the secret by headers and URL, for a receiver of several tenants. It is called for each delivery
   * with a well-formed signature, may take 5 seconds, and returns `undefined` for an unknown tenant, which gets a 401.
   */
  secret: Secrets | SecretLookup;
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
  /**
   * Runs the handlers only once for all deliveries of one event. Without it, redeliveries run them again. An inbox, such
   * as `postgresInbox()`, runs them inside a transaction.
   */
  dedupe?: DedupeOptions | Inbox<Tx> | undefined;
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

/** {@link WebhooksOptions} after validation, with the defaults applied. */
export interface Settings extends VerifySettings {
  readonly schemas: SchemaMap;
  readonly dedupe: Inbox | undefined;
  /** Replaces the handlers. */
  readonly queue: Queue | undefined;
}

const isSignatureOption = /* @__PURE__ */ checkThat(
  isObject,
  "an object such as { header: 'x-webhook-signature' }, or a scheme such as standardWebhooks()",
);

/**
 * Validates the options of a receiver.
 *
 * @throws {@link WebhookConfigurationError} When an option is invalid or misspelled.
 */
export const resolveSettings = (options: WebhooksOptions<EventSchemas, unknown>): Settings => {
  checkOptions(
    'option of createWebhooks',
    options,
    {
      secret: anyValue,
      signature: isSignatureOption,
      events: anyValue,
      maxBodyBytes: integerFrom(1),
      dedupe: anyValue,
      enqueue: isFunction,
      deliveryHeaders: isHeaderList,
      now: isFunction,
    },
    ['signature'],
  );
  const { secret, signature, events = {}, dedupe, enqueue, deliveryHeaders = [] } = options;
  const { now = () => Date.now(), maxBodyBytes = DEFAULT_MAX_BODY_BYTES } = options;
  const scheme = createSignatureReader(signature);
  return {
    now,
    scheme,
    secrets: prepareSecretOption(secret, scheme),
    equalDigests: createEqualDigests(),
    maxBodyBytes,
    schemas: mergeSchemas(events),
    dedupe: dedupe === undefined ? undefined : createInbox(dedupe, now, scheme),
    queue: enqueue && { enqueue, headers: deliveryHeaders.map((name) => name.toLowerCase()) },
  };
};
