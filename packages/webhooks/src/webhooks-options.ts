import { namesOf } from '@confab/internal';
import type { DedupeOptions } from './dedupe/dedupe-options.ts';
import { WebhookConfigurationError } from './errors/webhook-configuration-error.ts';
import type { EventSchemas } from './events/webhook-event.ts';
import type { Secrets } from './signature/secret-list.ts';
import type { SignatureOptions } from './signature/signature-options.ts';

/** How to receive deliveries. */
export interface WebhooksOptions<Extra extends EventSchemas = EventSchemas> {
  /**
   * The secret, or several while one replaces another. A string stands for its UTF-8 bytes. In a list, `undefined` is
   * left out, so that the variable with the old secret may be unset between rotations.
   */
  secret: Secrets;
  /** Where deliveries carry their signature. There is no default: the API does not document the header. */
  signature: SignatureOptions;
  /** Schemas of further events, by name, of any Standard Schema library. `message.created` is built in. */
  events?: Extra | undefined;
  /**
   * Bytes that a body may have; a larger one is refused while it is read, before any hashing.
   * @default 1_048_576
   */
  maxBodyBytes?: number | undefined;
  /** Runs the handlers once for all deliveries of one event; without it, a redelivery runs them again. */
  dedupe?: DedupeOptions | undefined;
  /**
   * The current time in milliseconds since 1970, by which timestamps and the memory of dedupe are judged.
   * @default Date.now
   */
  now?: (() => number) | undefined;
}

/** The names of {@link WebhooksOptions}. */
export const OPTION_NAMES = /* @__PURE__ */ namesOf<WebhooksOptions>({
  secret: true,
  signature: true,
  events: true,
  maxBodyBytes: true,
  dedupe: true,
  now: true,
});

const MIB = 1_048_576;

/**
 * The limit on a body's bytes.
 *
 * @throws {@link WebhookConfigurationError} Unless it is a whole number above 0.
 */
export const bodyLimit = (maxBodyBytes: number = MIB): number => {
  if (Number.isSafeInteger(maxBodyBytes) && maxBodyBytes > 0) {
    return maxBodyBytes;
  }
  throw new WebhookConfigurationError(
    `maxBodyBytes must be a whole number of bytes above 0, not ${maxBodyBytes}.`,
  );
};

/**
 * The clock of a receiver.
 *
 * @throws {@link WebhookConfigurationError} Unless it is a function.
 */
export const clockOf = (now: () => number = () => Date.now()): (() => number) => {
  if (typeof now === 'function') {
    return now;
  }
  throw new WebhookConfigurationError(
    `now must be a function that returns milliseconds since 1970, not ${typeof now}.`,
  );
};
