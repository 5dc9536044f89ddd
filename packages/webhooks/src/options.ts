import { anyValue, checkThat, integerFrom, isFunction, isObject } from '@confab/internal';
import { DEFAULT_MAX_BODY_BYTES } from './body.ts';
import type { DedupeOptions } from './dedupe/dedupe-options.ts';
import { createInbox } from './dedupe/dedupe-options.ts';
import type { Inbox } from './dedupe/inbox.ts';
import type { EventSchemas, SchemaMap } from './event.ts';
import { mergeSchemas } from './event.ts';
import { checkOptions, isHeaderList } from './option-checks.ts';
import type { Enqueue, Queue } from './queue.ts';
import { createEqualDigests } from './signature/hmac.ts';
import { createSignatureReader } from './signature/plain.ts';
import type { Signature } from './signature/scheme.ts';
import type { SecretLookup, Secrets } from './signature/secret.ts';
import type { VerifySettings } from './signature/verify.ts';
import { prepareSecretOption } from './signature/verify.ts';

/** Options of `createWebhooks`. */
export interface WebhooksOptions<Extra extends EventSchemas = Record<never, never>, Tx = undefined> {
  /**
   * The secret, or a list of secrets during a rotation. A string is used as its UTF-8 bytes, or as base64 with
   * `standardWebhooks()`. `undefined` in a list is skipped, so the environment variable of the old secret may be unset
   * between rotations.
   *
   * For several tenants, pass a function that finds the secret by the headers and the URL. The receiver calls it for each
   * delivery with a well-formed signature and waits up to 5 seconds. If the function returns `undefined`, for an unknown
   * tenant, the response is 401.
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
   * Skips deliveries of an event whose handlers have already succeeded. Without this option, each redelivery runs the
   * handlers again. An inbox, such as `postgresInbox()`, runs the handlers inside a transaction.
   */
  dedupe?: DedupeOptions | Inbox<Tx> | undefined;
  /**
   * Puts a genuine delivery into a queue instead of running the handlers. The response is 2xx once the promise resolves,
   * and 500 if it rejects. A worker passes the delivery to `process`, which runs the handlers. To skip redeliveries, pass
   * the same `dedupe` to the receiver and the worker.
   */
  enqueue?: Enqueue | undefined;
  /**
   * The names of the headers that a queued delivery keeps. All others are dropped, because many people can read a queue.
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
 * @throws A {@link WebhookConfigurationError} when an option is invalid or misspelled.
 */
export const resolveSettings = (options: WebhooksOptions<EventSchemas, unknown>): Settings => {
  checkOptions(
    'createWebhooks option',
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
    ['secret', 'signature'],
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
