import { showValue } from '@confab/internal';
import type { Bytes } from '../body.ts';
import { encodeText } from '../body.ts';
import { NOT_RUN, runUserCode, WebhookError } from '../errors.ts';
import { toHex } from '../signature/encoding.ts';
import type { Hmac } from '../signature/hmac.ts';

/** A genuine delivery, from which `dedupe.key` derives a key. */
export interface VerifiedDelivery {
  /** The name of the event. */
  readonly event: string;
  /** The data of the event as it was sent. If the event has a schema, the data has passed it. */
  readonly data: unknown;
  /** All headers of the delivery. They are not signed, except for the ones that the scheme signs. */
  readonly headers: Headers;
  /** The signed body. */
  readonly body: Uint8Array;
  /** The id of the delivery, if the scheme signs one, as `standardWebhooks()` does. */
  readonly id: string | undefined;
  /** The URL of the request, if the option `secret` is a function. */
  readonly url?: string | undefined;
}

// If `DedupeOptions` and `Inbox` each declared a `key`, editors would show no text for the `key` of the option `dedupe`.
/** How redeliveries of an event are recognized. */
export interface DedupeKey {
  /**
   * Returns a key that all deliveries of one event share and no other delivery has. The handlers always run if it returns
   * `undefined`.
   *
   * The key is required unless the scheme signs the id of a delivery, because the payload has no id, and two customers may
   * both write "ok". If the sender puts an id of the delivery into a header, use that id. Headers are not signed, so the
   * store receives the key together with the SHA-256 of the body: a delivery is a duplicate only if both are the same. A
   * key is replaced by its SHA-256 unless it consists of at most 256 letters, digits, `-` and `_`, and is not an integer.
   * @default the signed id, with `standardWebhooks()`
   */
  key?: ((delivery: VerifiedDelivery) => string | undefined) | undefined;
}

const sha256 = async (bytes: Uint8Array): Promise<string> =>
  toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Bytes)));

/**
 * Converts a text to an id that every queue accepts: BullMQ refuses colons and integers. A text that is not such an id is
 * replaced by its hash. So is a long text, because an attacker chooses the headers and could fill the store.
 */
export const toPortableId = async (text: string, maxLength = 256): Promise<string> =>
  /^(?!-?\d+$)[\w-]+$/.test(text) && text.length <= maxLength ? text : sha256(encodeText(text));

/**
 * Runs a user's function that returns a name or `undefined`.
 *
 * @param part The name of the function, for the message.
 * @throws A {@link WebhookError} when the function fails, or returns anything but `undefined` or a non-empty string,
 * with `code: 'RECEIVER_FAILED'`.
 */
export const runForName = async (part: string, run: () => unknown): Promise<string | undefined> => {
  // Wrapped in a list, so that a promise is refused instead of awaited.
  const [name] = await runUserCode(`${part}()`, () => [run()]);
  if (name === undefined || (typeof name === 'string' && name !== '')) {
    return name;
  }
  throw new WebhookError(
    'RECEIVER_FAILED',
    `${part} must return undefined or a non-empty string, got ${showValue(name)}. ${NOT_RUN}`,
  );
};

/**
 * Creates the id that all deliveries of one event share; undefined if nothing identifies the event.
 *
 * No attacker can choose a signed id. A header is not signed, so the hash of the body is part of the id. Otherwise, an
 * attacker could send one captured delivery under the ids of future deliveries, which would then count as duplicates:
 * docs/decisions/0205. For the same reason, the secret of a tenant is part of the id: otherwise, a tenant could sign
 * deliveries under the ids of a different tenant.
 *
 * @param keyOf The option `dedupe.key`; undefined for the signed id.
 * @param tenant The HMAC with the secret of the tenant, if there are several tenants.
 * @throws A {@link WebhookError} when `dedupe.key` fails, or returns anything but `undefined` or a non-empty string,
 * with `code: 'RECEIVER_FAILED'`.
 */
export const createDeliveryId = async (
  delivery: VerifiedDelivery,
  keyOf: ((delivery: VerifiedDelivery) => unknown) | undefined,
  tenant: Hmac | undefined,
): Promise<string | undefined> => {
  const { id, body } = delivery;
  // Without the preamble, this would be the signature of the body, which must not be stored.
  const digest = async (bytes: Uint8Array) =>
    tenant ? toHex(await tenant('dedupe:', bytes as Bytes)) : sha256(bytes);
  if (keyOf === undefined) {
    return id && (tenant ? digest(encodeText(id)) : toPortableId(id));
  }
  const key = await runForName('dedupe.key', () => keyOf(delivery));
  return key && `${await toPortableId(key)}-${await digest(body)}`;
};
